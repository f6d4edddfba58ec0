/** Cron expressions and their slots. */
@NullMarked
package io.leasehold.engine.time.cron;

import org.jspecify.annotations.NullMarked;
