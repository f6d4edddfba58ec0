package io.leasehold.db;

import io.leasehold.jobs.TenantTransaction;
import java.util.function.Consumer;
import org.jooq.DSLContext;
import org.jooq.DeleteUsingStep;
import org.jooq.InsertSetStep;
import org.jooq.Record;
import org.jooq.SelectWhereStep;
import org.jooq.Table;
import org.jooq.UpdateSetFirstStep;
import org.jspecify.annotations.Nullable;

/**
 * A tenant's transaction for SQL, with every statement scoped to that tenant.
 *
 * <p>For a declared table, reads are narrowed to the caller's readable tenants, and updates and
 * deletes to its own tenant. Inserted rows belong to its own tenant. The module writes none of
 * this. A statement that cannot be scoped with certainty is refused before it is sent, with {@link
 * io.leasehold.jobs.ErrorCode#STATEMENT_REFUSED} and the reason: undeclared tables, SQL as text,
 * {@code connection()}, MERGE, DDL, functions that are not declared. A statement that names a
 * tenant other than the caller's is refused with {@link
 * io.leasehold.jobs.ErrorCode#TENANT_FOREIGN}.
 */
public interface ScopedTransaction extends TenantTransaction {

  /** Returns jOOQ's full API, scoped. It can be used until the transaction ends. */
  DSLContext dsl();

  /** Reads the readable tenants' rows of a table. */
  default <R extends Record> SelectWhereStep<R> selectFrom(Table<R> table) {
    return dsl().selectFrom(table);
  }

  /** Inserts rows for the caller's own tenant. */
  default <R extends Record> InsertSetStep<R> insert(Table<R> into) {
    return dsl().insertInto(into);
  }

  /** Updates rows of the caller's own tenant. */
  default <R extends Record> UpdateSetFirstStep<R> update(Table<R> table) {
    return dsl().update(table);
  }

  /** Deletes rows of the caller's own tenant. */
  default <R extends Record> DeleteUsingStep<R> delete(Table<R> from) {
    return dsl().deleteFrom(from);
  }

  /**
   * Calls one of the platform's functions. In a transaction of one statement, the call is the whole
   * transaction: nothing is sent before or after it. Only the limits for transactions and for locks
   * then apply.
   *
   * @param values the values for its parameters
   */
  <R> R call(PlatformCall<R> call, @Nullable Object... values);

  /**
   * Sets one of the module's own settings until the transaction ends. Rolling back the savepoint in
   * which it was set undoes it. Triggers, views and functions of the module can read it. The
   * setting proves nothing, since any SQL in the transaction can set it.
   *
   * <p>Costs a round trip. A transaction that never set it reads null or an empty text, and so does
   * each later one.
   *
   * @param name a name declared with {@link TenantTableBinder#setting}
   * @param value up to 1,000 characters, none of them NUL
   * @throws io.leasehold.jobs.JobsException with {@link
   *     io.leasehold.jobs.ErrorCode#STATEMENT_REFUSED} if the setting is not declared, or is the
   *     platform's or the server's own; nothing is sent in that case
   * @throws IllegalArgumentException if the value is longer or contains a NUL
   */
  void localSetting(String name, String value);

  /**
   * Registers a hook that runs once after the end of the transaction, on the thread that ended it.
   * Hooks run in the order of registration, together with those of {@link #afterCommit}, and like
   * them outside the transaction. If a hook was registered in a savepoint that is rolled back, it
   * runs at once, inside the transaction.
   *
   * @param hook receives whether the writes are committed; false if that is uncertain
   * @throws IllegalStateException if the transaction has ended
   */
  void afterEnd(Consumer<Boolean> hook);

  /**
   * Runs a part of the work that can fail on its own. If it throws, its writes and the hooks that
   * it registered are undone, and the transaction continues.
   *
   * <p>Costs two round trips. Many savepoints in one transaction slow the server down.
   */
  <T extends @Nullable Object, E extends Exception> T savepoint(TenantWork<T, E> work) throws E;
}
