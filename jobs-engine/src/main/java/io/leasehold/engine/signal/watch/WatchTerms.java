package io.leasehold.engine.signal.watch;

import java.time.Duration;

/**
 * On what terms jobs are watched.
 *
 * @param every how often who watches a job is called though nobody told of it
 */
public record WatchTerms(Duration every) {}
