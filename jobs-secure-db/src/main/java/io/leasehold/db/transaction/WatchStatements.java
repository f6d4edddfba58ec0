package io.leasehold.db.transaction;

import io.leasehold.db.connection.Session;
import java.util.function.Consumer;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.ExecuteType;
import org.jspecify.annotations.Nullable;

/** Watches a session's statements: has them approved, and translates their errors. */
final class WatchStatements implements ExecuteListener {

  private static final long serialVersionUID = 1L;

  private final transient Session session;
  private final transient Consumer<@Nullable String> preparing;

  /**
   * For one session.
   *
   * @param preparing is told of each statement just before it is prepared
   */
  WatchStatements(Session session, Consumer<@Nullable String> preparing) {
    this.session = session;
    this.preparing = preparing;
  }

  // A batch has results of its own, in which those of the opening would be taken for the first.
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
