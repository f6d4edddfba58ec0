package io.leasehold.db;

import io.leasehold.db.connection.RolePool;
import io.leasehold.db.scope.DeclaredTables;
import io.leasehold.db.transaction.Limits;
import io.leasehold.db.transaction.PooledTransactions;
import java.util.Set;
import java.util.function.UnaryOperator;
import javax.sql.DataSource;

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
    return open(config, declared, serverVersion, pool -> pool);
  }

  /** The same, with what stands between it and the tenants' pool. */
  public static UnverifiedDatabase open(
      DbConfig config,
      Set<TableDeclaration> declared,
      int serverVersion,
      UnaryOperator<DataSource> before) {
    var limits = Limits.of(config, serverVersion, true);
    var tenants = RolePool.ofTenants(config, false, limits.ofSession());
    var engine = RolePool.ofEngine(config, false, limits.ofSession());
    return new UnverifiedDatabase(
        tenants,
        engine,
        new PooledTransactions(
            before.apply(tenants.dataSource()),
            engine.dataSource(),
            DeclaredTables.of(declared),
            limits,
            false));
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
