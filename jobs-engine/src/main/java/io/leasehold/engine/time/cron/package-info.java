/** Cron expressions, and the slots that they name. */
@NullMarked
package io.leasehold.engine.time.cron;

import org.jspecify.annotations.NullMarked;
