/** Tests of cron expressions. */
@NullMarked
package io.leasehold.engine.time.cron;

import org.jspecify.annotations.NullMarked;
