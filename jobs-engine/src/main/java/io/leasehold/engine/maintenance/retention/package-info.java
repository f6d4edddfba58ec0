/** Removes jobs whose retention period has passed, by whole days where possible. */
@NullMarked
package io.leasehold.engine.maintenance.retention;

import org.jspecify.annotations.NullMarked;
