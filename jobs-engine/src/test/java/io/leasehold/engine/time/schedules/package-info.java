/** Schedules, and what many processes make of them. */
@NullMarked
package io.leasehold.engine.time.schedules;

import org.jspecify.annotations.NullMarked;
