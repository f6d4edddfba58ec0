package io.leasehold.jobs;

/**
 * What came of a request.
 *
 * @param jobId the job's id
 * @param repeated whether nothing was stored: the request's key was taken, and the id is that of
 *     the job which has it
 */
public record Submission(JobId jobId, boolean repeated) {}
