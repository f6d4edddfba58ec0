package io.leasehold.jobs.history;

import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import java.util.Optional;

/**
 * A job that another job depends on, or depended on.
 *
 * @param job the id of the job
 * @param handler the handler of the job; empty if the job was deleted
 * @param status the status of the job; empty if the job was deleted
 */
public record JobDependency(JobId job, Optional<HandlerId> handler, Optional<JobStatus> status) {}
