package io.leasehold.engine.inmemory.direct;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.jobs.JobId;
import java.util.Optional;

/**
 * The result of a submission.
 *
 * @param id the id of the job, or of the existing job with the request's key
 * @param job the job with its lease; empty if the key was taken
 */
record LeasedJob(JobId id, Optional<ClaimedJob> job) {}
