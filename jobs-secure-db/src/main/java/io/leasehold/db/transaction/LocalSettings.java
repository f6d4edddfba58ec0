package io.leasehold.db.transaction;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.setLocal;

import io.leasehold.db.TransactionOptions.Isolation;
import io.leasehold.db.connection.Opening;
import java.util.List;
import java.util.Locale;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/** Settings that hold for one transaction and end with it: its tenant and its limits. */
final class LocalSettings {

  private static final DSLContext WRITER = DSL.using(SQLDialect.POSTGRES);

  private final String sql;

  LocalSettings(List<String> names) {
    this.sql = WRITER.render(select(names.stream().map(LocalSettings::set).toList()));
  }

  /** An opening that gives the settings their values, in the order of their names. */
  Opening with(Isolation isolation, List<String> values) {
    if (isolation == Isolation.READ_COMMITTED) {
      return new Opening(sql + "; ", values, 1);
    }
    // First, because it is refused once a statement has looked at the data.
    var level = isolation.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    var isolated = WRITER.renderInlined(setLocal(name("transaction_isolation"), inline(level)));
    return new Opening(isolated + "; " + sql + "; ", values, 2);
  }

  /** An opening that is a part of the one statement which it opens the transaction for. */
  Opening within(List<String> values) {
    return new Opening(sql, values, 0);
  }

  private static Field<String> set(String name) {
    return function(
        name("set_config"), String.class, inline(name), param("value", String.class), inline(true));
  }
}
