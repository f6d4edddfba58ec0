/** Schedules: a tenant's job for each slot of a cron expression, once in all processes together. */
@NullMarked
package io.leasehold.engine.time.schedules;

import org.jspecify.annotations.NullMarked;
