package io.leasehold.rest.client;

/**
 * One event of a stream.
 *
 * @param id its position, from which a client can resume
 * @param name the kind of event
 * @param text its data
 */
record ReceivedEvent(String id, String name, String text) {}
