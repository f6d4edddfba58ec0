package io.leasehold.jobs;

/**
 * How many dead letters there are of a kind.
 *
 * @param tenant whose they are
 * @param handler what handled them
 * @param status failed or timed out
 * @param jobs how many; at least 1
 */
public record DeadLetterCount(TenantId tenant, HandlerId handler, JobStatus status, long jobs) {}
