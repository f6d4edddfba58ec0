/** Connections of the two run-time roles. */
@NullMarked
package io.leasehold.db.pool;

import org.jspecify.annotations.NullMarked;
