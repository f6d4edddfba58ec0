/** Jobs that are submitted again and again, by cron expressions. */
@NullMarked
package io.leasehold.jobs.schedules;

import org.jspecify.annotations.NullMarked;
