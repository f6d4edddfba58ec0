package io.leasehold.db.transaction;

import io.leasehold.db.connection.Session;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.ExecuteType;

/** Watches a session's statements: opens it apart from a batch, and translates its errors. */
final class TranslateErrors implements ExecuteListener {

  private static final long serialVersionUID = 1L;

  private final transient Session session;

  TranslateErrors(Session session) {
    this.session = session;
  }

  // A batch has results of its own, in which those of the opening would be taken for the first.
  @Override
  public void prepareStart(ExecuteContext ctx) {
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
