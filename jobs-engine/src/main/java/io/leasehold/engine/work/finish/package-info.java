/** Writes the endings of attempts, each under the fence of its lease. */
@NullMarked
package io.leasehold.engine.work.finish;

import org.jspecify.annotations.NullMarked;
