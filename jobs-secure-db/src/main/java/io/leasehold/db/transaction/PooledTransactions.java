package io.leasehold.db.transaction;

import io.leasehold.db.EngineWork;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.db.connection.Deadline;
import io.leasehold.db.connection.Opening;
import io.leasehold.db.connection.Session;
import io.leasehold.db.connection.TenantProof;
import io.leasehold.db.connection.UsedConnections;
import io.leasehold.db.scope.DeclaredTables;
import io.leasehold.db.scope.Scoping;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Transactions over two pools, one for each run-time role. */
public final class PooledTransactions implements Transactions, AutoCloseable {

  private final DataSource tenants;
  private final DataSource engine;
  private final Scoping scoping;
  private final SetLocal settings;
  private final Limits limits;
  private final TenantProof proof;
  private final Openings openings;
  private final Deadline deadline = new Deadline();
  private final UsedConnections used = new UsedConnections();

  // One per database: work on another database does not join a transaction of this one.
  private final ScopedValue<TenantSession> current = ScopedValue.newInstance();

  /**
   * Uses pools whose connections do not commit by themselves, and begin with the limits' settings.
   *
   * @param pooled whether there is a pooler in front of the server
   */
  public PooledTransactions(
      DataSource tenants,
      DataSource engine,
      DeclaredTables declared,
      Limits limits,
      boolean pooled) {
    this.tenants = tenants;
    this.engine = engine;
    this.scoping = new Scoping(declared);
    this.settings = new SetLocal(declared);
    this.limits = limits;
    this.proof = new TenantProof(() -> asEngine(NewestTenantKey::read), pooled);
    this.openings = new Openings(limits, proof);
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T asTenant(
      SecurityContext caller, TransactionOptions options, TenantWork<T, E> work) throws E {
    if (current.isBound()) {
      return joined(caller, options).join(work);
    }
    return Attempts.of(options).run(() -> once(caller, options, work));
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T within(
      TenantTransaction tx, TenantWork<T, E> work) throws E {
    if (!(tx instanceof TenantSession session)) {
      throw new IllegalArgumentException("the transaction was not opened here: " + tx);
    }
    return session.join(work);
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T asEngine(
      TransactionOptions options, EngineWork<T, E> work) throws E {
    return Attempts.of(options).run(() -> onceAsEngine(options, work));
  }

  @Override
  public void close() {
    deadline.close();
  }

  private TenantSession joined(SecurityContext caller, TransactionOptions options) {
    var outer = current.get();
    if (!outer.caller().equals(caller)) {
      throw new IllegalStateException(new OtherCaller(outer.caller(), caller).inWords());
    }
    var defaults = TransactionOptions.defaults();
    if (!options.equals(defaults) && !options.equals(defaults.asOneStatement())) {
      throw new IllegalStateException(
          "a transaction runs on this thread; one that joins it cannot have options of its own");
    }
    return outer;
  }

  private <T extends @Nullable Object, E extends Exception> T once(
      SecurityContext caller, TransactionOptions options, TenantWork<T, E> work) throws E {
    var scope = scoping.of(caller);
    var session =
        session(tenants, openings.ofTenant(caller, options), options, scope::mayRunModuleCode);
    var tx =
        new TenantSession(
            caller,
            session,
            () -> Dsl.scoped(session, scope),
            () -> openings.ofCall(caller, options),
            settings);
    var committed = false;
    try {
      var result = TransactionEnd.of(session).after(() -> committable(tx, work));
      committed = true;
      return result;
    } finally {
      if (session.isUnproven()) {
        proof.forgetKey();
      }
      tx.runHooks(committed);
    }
  }

  private <T extends @Nullable Object, E extends Exception> T committable(
      TenantSession tx, TenantWork<T, E> work) throws E {
    try {
      ScopedTransaction scoped = tx;
      T result = ScopedValue.where(current, tx).<T, E>call(() -> work.run(scoped));
      tx.requireCommittable();
      return result;
    } finally {
      tx.end();
    }
  }

  private <T extends @Nullable Object, E extends Exception> T onceAsEngine(
      TransactionOptions options, EngineWork<T, E> work) throws E {
    var session = session(engine, openings.ofEngine(options), options, () -> false);
    return TransactionEnd.of(session).after(() -> work.run(Dsl.unscoped(session)));
  }

  private Session session(
      DataSource pool, Opening opening, TransactionOptions options, BooleanSupplier ranModuleCode) {
    return new Session(
        pool,
        opening,
        options,
        ranModuleCode,
        connection ->
            limits.serverEndsTransactions()
                ? Optional.empty()
                : Optional.of(deadline.guard(connection, limits.transaction(options))),
        used);
  }
}
