/**
 * Schedules: a tenant's job for each slot of a cron expression, submitted once across all
 * processes.
 */
@NullMarked
package io.leasehold.engine.time.schedules;

import org.jspecify.annotations.NullMarked;
