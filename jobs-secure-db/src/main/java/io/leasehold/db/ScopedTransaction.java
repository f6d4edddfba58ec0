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
 * A tenant's transaction that speaks SQL, every statement of it scoped to that tenant.
 *
 * <p>For a declared table, reads are narrowed to the caller's readable tenants, updates and deletes
 * to its own, and inserted rows are given its own; none of this is written by the module. What
 * cannot be scoped with certainty is refused before it is sent, with {@link
 * io.leasehold.jobs.ErrorCode#STATEMENT_REFUSED} and the reason: undeclared tables, SQL as text,
 * {@code connection()}, MERGE, DDL, functions that are not declared. A statement that names a
 * tenant which is not the caller's is refused with {@link
 * io.leasehold.jobs.ErrorCode#TENANT_FOREIGN}.
 */
public interface ScopedTransaction extends TenantTransaction {

  /** All of jOOQ, scoped. It ends with the transaction. */
  DSLContext dsl();

  /** Reads the readable tenants' rows of a table. */
  default <R extends Record> SelectWhereStep<R> selectFrom(Table<R> table) {
    return dsl().selectFrom(table);
  }

  /** Inserts rows of the caller's own tenant. */
  default <R extends Record> InsertSetStep<R> insert(Table<R> into) {
    return dsl().insertInto(into);
  }

  /** Changes rows of the caller's own tenant. */
  default <R extends Record> UpdateSetFirstStep<R> update(Table<R> table) {
    return dsl().update(table);
  }

  /** Deletes rows of the caller's own tenant. */
  default <R extends Record> DeleteUsingStep<R> delete(Table<R> from) {
    return dsl().deleteFrom(from);
  }

  /**
   * Calls one of the platform's functions. In a transaction of one statement it is the whole of it:
   * nothing is sent before or after, and no limit but the transaction's own and that for locks
   * holds for it.
   *
   * @param values for its parameters
   */
  <R> R call(PlatformCall<R> call, @Nullable Object... values);

  /**
   * Sets one of the module's own settings until the transaction ends; undone with a savepoint in
   * which it was set. Triggers, views and functions of the module read it. It is a word of the
   * module's and proves nothing: any SQL in the transaction can set it.
   *
   * <p>Costs a round trip. A transaction that never set it reads null or an empty text, and so does
   * each later one.
   *
   * @param name was declared with {@link TenantTableBinder#setting}
   * @param value up to 1,000 characters, none of them NUL
   * @throws io.leasehold.jobs.JobsException with {@link
   *     io.leasehold.jobs.ErrorCode#STATEMENT_REFUSED} if the setting is not declared, or is the
   *     platform's or the server's own; nothing is sent then
   * @throws IllegalArgumentException if the value is longer or has a NUL
   */
  void localSetting(String name, String value);

  /**
   * Tells once how it ended, on the thread that ended it: in the order of registration, together
   * with the hooks of {@link #afterCommit}, and like them outside the transaction. A hook that was
   * registered in a savepoint which is undone is told so at once, inside it.
   *
   * @param hook given whether what was written is committed; not if that is open to doubt
   * @throws IllegalStateException if the transaction is over
   */
  void afterEnd(Consumer<Boolean> hook);

  /**
   * Runs a part of the work that can fail alone: if it throws, what it wrote, and the hooks that it
   * registered, are undone and the transaction goes on.
   *
   * <p>Costs two round trips. Many of them in one transaction slow the server down.
   */
  <T extends @Nullable Object, E extends Exception> T savepoint(TenantWork<T, E> work) throws E;
}
