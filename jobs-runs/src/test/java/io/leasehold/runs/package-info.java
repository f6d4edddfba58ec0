/** Runs are started once, found again, adopted, stopped and cleared away. */
@NullMarked
package io.leasehold.runs;

import org.jspecify.annotations.NullMarked;
