/** Keeps the leases of this worker, and takes those away that other workers did not keep. */
@NullMarked
package io.leasehold.engine.work.lease;

import org.jspecify.annotations.NullMarked;
