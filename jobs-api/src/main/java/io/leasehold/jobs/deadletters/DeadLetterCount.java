package io.leasehold.jobs.deadletters;

import io.leasehold.jobs.HandlerId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.TenantId;

/**
 * The number of dead letters with one tenant, handler and status.
 *
 * @param tenant the tenant of the jobs
 * @param handler the handler of the jobs
 * @param status failed or timed out
 * @param jobs the number of jobs; at least 1
 */
public record DeadLetterCount(TenantId tenant, HandlerId handler, JobStatus status, long jobs) {}
