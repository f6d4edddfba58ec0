/** Tests of values as they are stored. */
@NullMarked
package io.leasehold.engine.service.values;

import org.jspecify.annotations.NullMarked;
