package io.leasehold.db.transaction;

import io.leasehold.db.connection.Session;
import java.util.function.Consumer;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.ExecuteType;
import org.jspecify.annotations.Nullable;

/** Intercepts a session's statements: requests their approval, and translates their errors. */
final class WatchStatements implements ExecuteListener {

  private static final long serialVersionUID = 1L;

  private final transient Session session;
  private final transient Consumer<@Nullable String> preparing;

  /**
   * Creates a listener for one session.
   *
   * @param preparing receives each statement just before it is prepared
   */
  WatchStatements(Session session, Consumer<@Nullable String> preparing) {
    this.session = session;
    this.preparing = preparing;
  }

  // A batch returns results of its own, and the opening's results would be taken for the first of
  // them.
  @Override
  public void prepareStart(ExecuteContext ctx) {
    preparing.accept(ctx.sql());
    if (ctx.type() == ExecuteType.BATCH || ctx.type() == ExecuteType.ROUTINE) {
      session.run(session::open);
    }
  }

  @Override
  public void exception(ExecuteContext ctx) {
    var e = ctx.sqlException();
    if (e != null) {
      ctx.exception(session.translate(e));
    }
  }
}
