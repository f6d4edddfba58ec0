package io.leasehold.db.transaction;

import io.leasehold.db.PlatformCall;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TenantWork;
import io.leasehold.db.connection.Opening;
import io.leasehold.db.connection.Session;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.sql.Savepoint;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jooq.DSLContext;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A tenant's running transaction. */
final class TenantSession implements ScopedTransaction {

  private static final Logger log = LoggerFactory.getLogger(TenantSession.class);

  private final SecurityContext caller;
  private final Session session;
  private final Supplier<DSLContext> makesDsl;
  private final Supplier<Opening> opensWithin;
  private final SetLocal settings;
  private final Thread thread = Thread.currentThread();
  private final List<Consumer<Boolean>> hooks = new ArrayList<>();

  private @Nullable DSLContext dsl;
  private boolean broken;
  private boolean over;

  /**
   * Creates a transaction that has not begun.
   *
   * @param makesDsl creates the DSL at its first use
   * @param opensWithin supplies the opening for a transaction that is a single call
   * @param settings sets settings that modules declared
   */
  TenantSession(
      SecurityContext caller,
      Session session,
      Supplier<DSLContext> makesDsl,
      Supplier<Opening> opensWithin,
      SetLocal settings) {
    this.caller = caller;
    this.session = session;
    this.makesDsl = makesDsl;
    this.opensWithin = opensWithin;
    this.settings = settings;
  }

  @Override
  public SecurityContext caller() {
    return caller;
  }

  @Override
  public DSLContext dsl() {
    requireOpen();
    if (dsl == null) {
      dsl = makesDsl.get();
    }
    return dsl;
  }

  @Override
  public <R> R call(PlatformCall<R> call, @Nullable Object... values) {
    requireOpen();
    return session.get(() -> session.call(call, opensWithin, values));
  }

  @Override
  public void localSetting(String name, String value) {
    requireOpen();
    settings.requireValid(name, value);
    session.run(() -> settings.set(session, name, value));
  }

  @Override
  public void afterCommit(Runnable hook) {
    afterEnd(
        committed -> {
          if (committed) {
            hook.run();
          }
        });
  }

  @Override
  public void afterEnd(Consumer<Boolean> hook) {
    requireOpen();
    hooks.add(hook);
  }

  @Override
  public <T extends @Nullable Object, E extends Exception> T savepoint(TenantWork<T, E> work)
      throws E {
    requireOpen();
    var hooksBefore = hooks.size();
    var brokenBefore = broken;
    var savepoint = session.get(session::savepoint);
    var done = false;
    try {
      var result = work.run(this);
      session.run(() -> session.release(savepoint));
      done = true;
      return result;
    } finally {
      if (!done) {
        var newHooks = hooks.subList(hooksBefore, hooks.size());
        var undone = List.copyOf(newHooks);
        newHooks.clear();
        broken = brokenBefore;
        undo(savepoint);
        tell(undone, false);
      }
    }
  }

  // The caller must see the exception of the work. If the work cannot be undone, nothing of the
  // whole transaction is committed.
  private void undo(Savepoint savepoint) {
    try {
      session.run(() -> session.undo(savepoint));
    } catch (JobsException e) {
      broken = true;
      log.debug("a savepoint could not be undone, so its transaction will be", e);
    }
  }

  /**
   * Runs work that joined this transaction. If it throws, nothing of the whole transaction is
   * committed.
   */
  <T extends @Nullable Object, E extends Exception> T join(TenantWork<T, E> work) throws E {
    requireOpen();
    var done = false;
    try {
      var result = work.run(this);
      done = true;
      return result;
    } finally {
      broken |= !done;
    }
  }

  void requireCommittable() {
    over = true;
    if (broken) {
      throw new JobsException(
          ErrorCode.TRANSACTION_ROLLED_BACK,
          "a part of the transaction's work failed, so nothing of it is committed");
    }
  }

  void end() {
    over = true;
  }

  /**
   * Runs the hooks with the outcome of the transaction; an uncertain one counts as not committed.
   */
  void runHooks(boolean committed) {
    tell(hooks, committed);
  }

  private static void tell(List<Consumer<Boolean>> hooks, boolean committed) {
    for (var hook : hooks) {
      try {
        hook.accept(committed);
      } catch (RuntimeException | Error e) {
        log.error("a hook failed; its transaction is {}", committed ? "committed" : "over", e);
      }
    }
  }

  private void requireOpen() {
    if (over) {
      throw new IllegalStateException("the transaction is over");
    }
    if (!Thread.currentThread().equals(thread)) {
      throw new IllegalStateException("the transaction belongs to the thread " + thread.getName());
    }
  }
}
