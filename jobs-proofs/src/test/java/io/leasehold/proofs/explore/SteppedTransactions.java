package io.leasehold.proofs.explore;

import io.leasehold.db.EngineWork;
import io.leasehold.db.PlatformCall;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantTransaction;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.UUID;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.impl.DefaultConfiguration;
import org.jooq.impl.DefaultExecuteListenerProvider;
import org.jspecify.annotations.Nullable;

/** Transactions that stop before each statement but the first, and before they end. */
final class SteppedTransactions implements Transactions {

  private final Session session;
  private final Operation operation;

  SteppedTransactions(Session session, Operation operation) {
    this.session = session;
    this.operation = operation;
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T asTenant(
      SecurityContext caller, TransactionOptions options, TenantWork<T, E> work) throws E {
    return run(
        dsl -> {
          session.enter(caller.tenant().toString());
          return work.run(new Stepped(caller, dsl));
        });
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T within(
      TenantTransaction tx, TenantWork<T, E> work) throws E {
    return work.run((ScopedTransaction) tx);
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T asEngine(
      TransactionOptions options, EngineWork<T, E> work) throws E {
    return run(work);
  }

  private <T extends @Nullable Object, E extends Exception> T run(EngineWork<T, E> work) throws E {
    var ends = false;
    begin();
    try {
      var result = work.run(dsl());
      session.pause();
      ends = operation.commits();
      return result;
    } finally {
      end(ends);
    }
  }

  private void begin() {
    try {
      session.connection().setAutoCommit(false);
      session
          .connection()
          .setTransactionIsolation(
              operation.repeatable()
                  ? Connection.TRANSACTION_REPEATABLE_READ
                  : Connection.TRANSACTION_READ_COMMITTED);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private void end(boolean commits) {
    try {
      if (commits) {
        session.connection().commit();
      } else {
        session.connection().rollback();
      }
      session.connection().setAutoCommit(true);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Asks something before the transaction begins. */
  UUID one(String sql) {
    try (var statement = session.connection().prepareStatement(sql);
        var rows = statement.executeQuery()) {
      rows.next();
      return rows.getObject(1, UUID.class);
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private DSLContext dsl() {
    return new DefaultConfiguration()
        .set(SQLDialect.POSTGRES)
        .set(session.connection())
        .set(new DefaultExecuteListenerProvider(new PauseBetween(session)))
        .dsl();
  }

  /** Stops before each statement but the first. */
  private static final class PauseBetween implements ExecuteListener {

    private static final long serialVersionUID = 1;

    private final transient Session session;
    private boolean begun;

    private PauseBetween(Session session) {
      this.session = session;
    }

    @Override
    public void executeStart(ExecuteContext context) {
      if (begun) {
        session.pause();
      }
      begun = true;
    }
  }

  private record Stepped(SecurityContext caller, DSLContext dsl) implements ScopedTransaction {

    @Override
    public <R> R call(PlatformCall<R> call, @Nullable Object... values) {
      return dsl.connectionResult(
          connection -> {
            try (var statement = connection.prepareStatement(call.sql())) {
              call.bind(statement, values);
              return call.answer(statement);
            }
          });
    }

    @Override
    public void localSetting(String name, String value) {
      throw new IllegalStateException("there are no settings here");
    }

    @Override
    public void afterCommit(Runnable hook) {}

    @Override
    public void afterEnd(Consumer<Boolean> hook) {}

    @Override
    public <T extends @Nullable Object, E extends Exception> T savepoint(TenantWork<T, E> work)
        throws E {
      throw new IllegalStateException("there are no savepoints here");
    }
  }
}
