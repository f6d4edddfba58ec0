package io.leasehold.jobs;

import java.util.Optional;

/**
 * A job for which another waits, or waited.
 *
 * @param job which job
 * @param handler whose it is; nothing if the job was removed
 * @param status where it is in its life; nothing if it was removed
 */
public record JobDependency(JobId job, Optional<HandlerId> handler, Optional<JobStatus> status) {}
