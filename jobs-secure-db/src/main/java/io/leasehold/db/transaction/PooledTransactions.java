package io.leasehold.db.transaction;

import io.leasehold.db.DbConfig;
import io.leasehold.db.EngineWork;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.db.connection.Deadline;
import io.leasehold.db.connection.Opening;
import io.leasehold.db.connection.Session;
import io.leasehold.db.scope.DeclaredTables;
import io.leasehold.db.scope.Scoping;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.TenantTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Transactions over two pools, one for each run-time role. */
public final class PooledTransactions implements Transactions, AutoCloseable {

  private static final List<String> SCOPE = List.of("app.tenant_id", "app.readable_tenants");

  private final DataSource tenants;
  private final DataSource engine;
  private final Scoping scoping;
  private final Limits limits;
  private final LocalSettings tenantSettings;
  private final LocalSettings engineSettings;
  private final LocalSettings callSettings;
  private final Deadline deadline = new Deadline();

  // One for each database: work on another one does not join a transaction of this one.
  private final ScopedValue<TenantSession> current = ScopedValue.newInstance();

  /**
   * Uses pools whose connections do not commit by themselves.
   *
   * @param serverVersion the server's major version
   */
  public PooledTransactions(
      DataSource tenants,
      DataSource engine,
      DeclaredTables declared,
      DbConfig config,
      int serverVersion) {
    this.tenants = tenants;
    this.engine = engine;
    this.scoping = new Scoping(declared);
    this.limits = Limits.of(config, serverVersion);
    this.engineSettings = new LocalSettings(limits.names());
    var names = new ArrayList<>(limits.names());
    names.addAll(SCOPE);
    this.tenantSettings = new LocalSettings(names);
    var namesOfCall = new ArrayList<>(limits.namesOfCall());
    namesOfCall.addAll(SCOPE);
    this.callSettings = new LocalSettings(namesOfCall);
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
        session(tenants, tenantOpening(caller, options), options, scope::mayRunModuleCode);
    var tx =
        new TenantSession(
            caller,
            session,
            () -> Dsl.scoped(session, scope),
            () -> callSettings.within(with(caller, limits.valuesOfCall(options))));
    var committed = false;
    try {
      var result = Ending.of(session).after(() -> committable(tx, work));
      committed = true;
      return result;
    } finally {
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
    var opening = engineSettings.with(options.isolation(), limits.values(options));
    var session = session(engine, opening, options, () -> false);
    return Ending.of(session).after(() -> work.run(Dsl.unscoped(session)));
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
                : Optional.of(deadline.guard(connection, limits.transaction(options))));
  }

  private Opening tenantOpening(SecurityContext caller, TransactionOptions options) {
    return tenantSettings.with(options.isolation(), with(caller, limits.values(options)));
  }

  private static List<String> with(SecurityContext caller, List<String> limits) {
    var values = new ArrayList<>(limits);
    values.add(caller.tenant().toString());
    values.add(
        caller.readableTenants().stream().map(TenantId::toString).collect(Collectors.joining(",")));
    return values;
  }
}
