package io.leasehold.db;

import io.leasehold.db.pool.RolePool;
import io.leasehold.db.scope.DeclaredTables;
import io.leasehold.db.transaction.PooledTransactions;

/**
 * The database behind two pools, one for each run-time role, and the transactions over them.
 *
 * <p>Safe to share between threads.
 */
public final class SecureDatabase implements AutoCloseable {

  private final RolePool tenants;
  private final RolePool engine;
  private final PooledTransactions transactions;

  private SecureDatabase(RolePool tenants, RolePool engine, PooledTransactions transactions) {
    this.tenants = tenants;
    this.engine = engine;
    this.transactions = transactions;
  }

  /** Connects. */
  public static SecureDatabase open(DbConfig config, DeclaredTables declared, int serverVersion) {
    var tenants = RolePool.ofTenants(config);
    var engine = RolePool.ofEngine(config);
    return new SecureDatabase(
        tenants,
        engine,
        new PooledTransactions(
            tenants.dataSource(), engine.dataSource(), declared, config, serverVersion));
  }

  public Transactions transactions() {
    return transactions;
  }

  /** Closes the pools; transactions that still run are ended. */
  @Override
  public void close() {
    transactions.close();
    tenants.close();
    engine.close();
  }
}
