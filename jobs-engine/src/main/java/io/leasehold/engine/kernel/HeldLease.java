package io.leasehold.engine.kernel;

import io.leasehold.jobs.JobId;

/**
 * A lease that this worker was given.
 *
 * @param id the id of the job
 * @param token the fencing token that every write for the job must present
 */
public record HeldLease(JobId id, long token) {}
