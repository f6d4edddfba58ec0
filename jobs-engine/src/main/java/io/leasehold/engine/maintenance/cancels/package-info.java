/** Ends what was cancelled, and removes what was to be deleted. */
@NullMarked
package io.leasehold.engine.maintenance.cancels;

import org.jspecify.annotations.NullMarked;
