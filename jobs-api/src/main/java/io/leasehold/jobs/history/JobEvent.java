package io.leasehold.jobs.history;

import io.leasehold.jobs.JobStatus;
import java.time.Instant;

/**
 * An event in the history of a job. Every reader sees the same history at any time: new events are
 * only ever appended.
 *
 * @param cursor the position of the event in the job's history; later events have greater positions
 * @param at when the event happened, by the database's clock
 * @param kind {@code queued}, {@code started}, {@code reclaimed}, {@code progress}, {@code
 *     retry_scheduled}, {@code put_off}, {@code released}, {@code worker_lost}, {@code
 *     cancel_requested}, {@code events_dropped}, the word of a final {@link JobStatus}, or a
 *     handler's own kind, such as {@code log}
 * @param attempt the number of the attempt that the event belongs to; 0 before the first attempt
 * @param body the details: a JSON object, or any value that a handler reported
 */
public record JobEvent(EventCursor cursor, Instant at, String kind, int attempt, String body) {}
