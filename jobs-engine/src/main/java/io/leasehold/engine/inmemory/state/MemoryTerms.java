package io.leasehold.engine.inmemory.state;

import java.time.Duration;

/**
 * The settings for in-memory jobs in this process.
 *
 * @param concurrency how many jobs run at once; if it is 0, no jobs are accepted
 * @param capacity the maximum number of unfinished jobs of all kinds together; the same number of
 *     finished jobs is kept
 * @param kept how long a finished job can be looked up
 * @param cancelGrace how long a cancelled job may continue before its thread is interrupted
 * @param writesPerSecond how often a job's progress is added to its history, at most
 * @param eventsMost the maximum number of events of a job
 */
public record MemoryTerms(
    int concurrency,
    int capacity,
    Duration kept,
    Duration cancelGrace,
    int writesPerSecond,
    int eventsMost) {}
