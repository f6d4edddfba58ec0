package io.leasehold.engine.inmemory.state;

import java.time.Duration;

/**
 * On what terms this process has jobs in memory.
 *
 * @param concurrency how many run at once; none are taken if it is 0
 * @param capacity how many there are that are not over, of all kinds together; as many that are
 *     over are kept
 * @param kept how long one that is over can be looked up
 * @param cancelGrace how long a cancelled job may go on before its thread is interrupted
 * @param writesPerSecond how often a job's progress goes into its history
 * @param eventsMost how many events a job has
 */
public record MemoryTerms(
    int concurrency,
    int capacity,
    Duration kept,
    Duration cancelGrace,
    int writesPerSecond,
    int eventsMost) {}
