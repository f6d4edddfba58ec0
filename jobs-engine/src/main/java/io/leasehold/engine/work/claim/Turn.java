package io.leasehold.engine.work.claim;

/**
 * What a claim takes from a lane.
 *
 * @param lane where
 * @param share how many jobs at most
 */
record Turn(Lane lane, int share) {}
