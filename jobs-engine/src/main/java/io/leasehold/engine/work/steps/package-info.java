/**
 * The steps and checkpoints that a running attempt stores for its job, under the fence of its
 * lease.
 */
@NullMarked
package io.leasehold.engine.work.steps;

import org.jspecify.annotations.NullMarked;
