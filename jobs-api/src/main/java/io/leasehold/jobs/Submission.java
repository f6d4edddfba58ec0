package io.leasehold.jobs;

/**
 * The outcome of a submission.
 *
 * @param jobId the id of the job
 * @param repeated whether nothing was stored because the key was taken; {@code jobId} is then the
 *     id of the existing job with that key
 */
public record Submission(JobId jobId, boolean repeated) {}
