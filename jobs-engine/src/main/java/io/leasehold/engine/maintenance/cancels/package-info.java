/** Ends jobs that were cancelled, and removes jobs that were to be deleted. */
@NullMarked
package io.leasehold.engine.maintenance.cancels;

import org.jspecify.annotations.NullMarked;
