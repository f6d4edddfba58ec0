package io.leasehold.db.scope;

import java.io.Serial;
import java.sql.SQLException;
import org.jooq.BindingGetResultSetContext;
import org.jooq.BindingSQLContext;
import org.jooq.BindingSetStatementContext;
import org.jooq.Converter;
import org.jooq.Converters;
import org.jooq.impl.AbstractBinding;

/** A binding that writes more than its value. */
final class WritingBinding extends AbstractBinding<String, String> {

  @Serial private static final long serialVersionUID = 1L;

  @Override
  public Converter<String, String> converter() {
    return Converters.identity(String.class);
  }

  @Override
  public void sql(BindingSQLContext<String> context) {
    context.render().sql("(SELECT word FROM acme.secret) || ?");
  }

  @Override
  public void set(BindingSetStatementContext<String> context) throws SQLException {
    context.statement().setString(context.index(), context.value());
  }

  @Override
  public void get(BindingGetResultSetContext<String> context) throws SQLException {
    context.value(context.resultSet().getString(context.index()));
  }
}
