package io.leasehold.engine.kernel;

import io.leasehold.jobs.JobId;

/**
 * A lease that this worker was given.
 *
 * @param id of the job
 * @param token what every write for it has to show
 */
public record HeldLease(JobId id, long token) {}
