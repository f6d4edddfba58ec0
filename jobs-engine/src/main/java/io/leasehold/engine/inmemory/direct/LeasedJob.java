package io.leasehold.engine.inmemory.direct;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.jobs.JobId;
import java.util.Optional;

/**
 * What came of a submission.
 *
 * @param id of the job, or of the one that has the request's key
 * @param job with its lease; none if the key was taken
 */
record LeasedJob(JobId id, Optional<ClaimedJob> job) {}
