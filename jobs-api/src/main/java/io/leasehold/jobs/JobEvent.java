package io.leasehold.jobs;

import java.time.Instant;

/**
 * Something that happened to a job. Its history is the same for everybody who reads it, and
 * whenever: events are only ever added behind those that were there.
 *
 * @param cursor where it is in the job's history; what comes later is greater
 * @param at when it happened, by the database's clock
 * @param kind {@code queued}, {@code started}, {@code reclaimed}, {@code progress}, {@code
 *     retry_scheduled}, {@code put_off}, {@code released}, {@code worker_lost}, {@code
 *     cancel_requested}, {@code events_dropped}, the word of a final {@link JobStatus}, or a
 *     handler's own, like {@code log}
 * @param attempt the number of the attempt that it belongs to; 0 before the first
 * @param body what there is to say about it: a JSON object, or whatever a handler told
 */
public record JobEvent(EventCursor cursor, Instant at, String kind, int attempt, String body) {}
