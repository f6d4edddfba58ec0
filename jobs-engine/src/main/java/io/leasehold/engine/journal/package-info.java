/** What a running attempt writes down of its job, under the fence of its lease. */
@NullMarked
package io.leasehold.engine.journal;

import org.jspecify.annotations.NullMarked;
