/** Reads what happened to a job: its events, its tasks, the jobs that it waits for. */
@NullMarked
package io.leasehold.engine.service.history;

import org.jspecify.annotations.NullMarked;
