package io.leasehold.engine.maintenance;

/**
 * What this process does for the queue.
 *
 * @param works whether it runs jobs
 * @param maintains whether it does what is to be done for all processes
 */
public record Duties(boolean works, boolean maintains) {}
