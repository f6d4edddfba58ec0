/** How a transaction begins with its tenant, runs, ends, and tells what went wrong. */
@NullMarked
package io.leasehold.db.transaction;

import org.jspecify.annotations.NullMarked;
