/** Schedules, and what many processes make of them. */
@NullMarked
package io.leasehold.engine.cron;

import org.jspecify.annotations.NullMarked;
