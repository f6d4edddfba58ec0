package io.leasehold.db;

import io.leasehold.db.connection.RolePool;
import io.leasehold.db.scope.DeclaredTables;
import io.leasehold.db.transaction.PooledTransactions;
import java.util.Set;

/** A database that is used as it is, broken or out of reach: for tests of what happens then. */
public final class UnverifiedDatabase implements AutoCloseable {

  private final RolePool tenants;
  private final RolePool engine;
  private final PooledTransactions transactions;

  private UnverifiedDatabase(RolePool tenants, RolePool engine, PooledTransactions transactions) {
    this.tenants = tenants;
    this.engine = engine;
    this.transactions = transactions;
  }

  public static UnverifiedDatabase open(
      DbConfig config, Set<TableDeclaration> declared, int serverVersion) {
    var tenants = RolePool.ofTenants(config, false);
    var engine = RolePool.ofEngine(config, false);
    return new UnverifiedDatabase(
        tenants,
        engine,
        new PooledTransactions(
            tenants.dataSource(),
            engine.dataSource(),
            DeclaredTables.of(declared),
            config,
            serverVersion));
  }

  public Transactions transactions() {
    return transactions;
  }

  @Override
  public void close() {
    transactions.close();
    tenants.close();
    engine.close();
  }
}
