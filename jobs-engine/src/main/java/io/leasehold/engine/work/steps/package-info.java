/** What a running attempt writes down of its job, under the fence of its lease. */
@NullMarked
package io.leasehold.engine.work.steps;

import org.jspecify.annotations.NullMarked;
