/** Tests of what stands around jobs. */
@NullMarked
package io.leasehold.engine.intercept;

import org.jspecify.annotations.NullMarked;
