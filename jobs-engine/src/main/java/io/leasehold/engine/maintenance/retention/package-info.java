/** Removes jobs that were kept for long enough, by the day where that is possible. */
@NullMarked
package io.leasehold.engine.maintenance.retention;

import org.jspecify.annotations.NullMarked;
