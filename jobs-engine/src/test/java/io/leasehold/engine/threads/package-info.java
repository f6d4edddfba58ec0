/** Tests of parts of what runs jobs. */
@NullMarked
package io.leasehold.engine.threads;

import org.jspecify.annotations.NullMarked;
