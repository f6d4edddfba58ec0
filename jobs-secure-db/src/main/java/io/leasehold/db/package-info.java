/**
 * The only way to the database: transactions of a tenant, in which no statement can escape the
 * tenant.
 *
 * <p>{@link io.leasehold.db.Transactions} opens them; {@link io.leasehold.db.SecureDatabase} holds
 * the underlying pools, and refuses a database that would not isolate tenants.
 */
@NullMarked
package io.leasehold.db;

import org.jspecify.annotations.NullMarked;
