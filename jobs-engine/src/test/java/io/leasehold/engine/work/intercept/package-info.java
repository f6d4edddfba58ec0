/** Tests of what stands around jobs. */
@NullMarked
package io.leasehold.engine.work.intercept;

import org.jspecify.annotations.NullMarked;
