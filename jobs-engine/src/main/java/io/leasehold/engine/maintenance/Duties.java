package io.leasehold.engine.maintenance;

/**
 * What this process does for the queue.
 *
 * @param works whether it runs jobs
 * @param maintains whether it performs the maintenance that all processes need
 */
public record Duties(boolean works, boolean maintains) {}
