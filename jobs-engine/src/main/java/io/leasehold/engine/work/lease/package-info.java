/** Keeps the leases of this worker, and takes away those that other workers did not renew. */
@NullMarked
package io.leasehold.engine.work.lease;

import org.jspecify.annotations.NullMarked;
