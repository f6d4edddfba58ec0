/** Tests of what the engine logs. */
@NullMarked
package io.leasehold.engine.log;

import org.jspecify.annotations.NullMarked;
