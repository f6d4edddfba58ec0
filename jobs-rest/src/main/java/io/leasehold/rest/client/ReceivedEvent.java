package io.leasehold.rest.client;

/**
 * One event of a stream.
 *
 * @param id its place: where to go on from
 * @param name what kind of event it is
 * @param text what it says
 */
record ReceivedEvent(String id, String name, String text) {}
