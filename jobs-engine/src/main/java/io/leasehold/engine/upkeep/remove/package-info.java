/** Takes jobs away: those whose end was asked for, and those that were kept for long enough. */
@NullMarked
package io.leasehold.engine.upkeep.remove;

import org.jspecify.annotations.NullMarked;
