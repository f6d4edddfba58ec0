package io.leasehold.jobs.spi;

import io.leasehold.jobs.HandlerId;

/**
 * A handler that workers reported.
 *
 * @param id the id of the handler
 * @param queue the queue of its jobs
 * @param isLive whether a live worker has the handler
 */
public record KnownHandler(HandlerId id, String queue, boolean isLive) {}
