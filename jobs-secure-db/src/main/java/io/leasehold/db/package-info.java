/**
 * The only way to the database: transactions of a tenant, in which no statement can forget it.
 *
 * <p>{@link io.leasehold.db.Transactions} opens them; {@link io.leasehold.db.SecureDatabase} holds
 * the pools beneath, and refuses a database that would not keep tenants apart.
 */
@NullMarked
package io.leasehold.db;

import org.jspecify.annotations.NullMarked;
