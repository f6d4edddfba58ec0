package io.leasehold.engine.work.claim;

/**
 * A claim's turn at one lane.
 *
 * @param lane the lane to claim from
 * @param share the maximum number of jobs to take
 */
record Turn(Lane lane, int share) {}
