package io.leasehold.jobs;

/**
 * A handler that workers told of.
 *
 * @param id its id
 * @param queue where its jobs wait
 * @param isLive whether a worker that lives has it
 */
public record KnownHandler(HandlerId id, String queue, boolean isLive) {}
