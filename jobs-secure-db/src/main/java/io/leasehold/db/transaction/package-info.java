/** How a transaction begins with its tenant, runs, ends, and is retried. */
@NullMarked
package io.leasehold.db.transaction;

import org.jspecify.annotations.NullMarked;
