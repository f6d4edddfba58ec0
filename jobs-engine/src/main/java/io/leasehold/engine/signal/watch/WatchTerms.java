package io.leasehold.engine.signal.watch;

import java.time.Duration;

/**
 * The settings for watching jobs.
 *
 * @param every how often watchers of a job are called when no notification arrives
 */
public record WatchTerms(Duration every) {}
