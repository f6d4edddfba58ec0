/** What happened to a job and what it waits for: events, tasks, dependencies, explanations. */
@NullMarked
package io.leasehold.jobs.history;

import org.jspecify.annotations.NullMarked;
