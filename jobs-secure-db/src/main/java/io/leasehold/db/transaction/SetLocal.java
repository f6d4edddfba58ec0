package io.leasehold.db.transaction;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;

import io.leasehold.db.connection.Session;
import io.leasehold.db.scope.DeclaredTables;
import java.sql.SQLException;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Sets settings that modules declared, until the transaction ends. The name is a value of the
 * statement and no part of its text. Safe to share.
 *
 * @param declared the modules' declarations
 */
record SetLocal(DeclaredTables declared) {

  private static final int VALUE_MAX = 1_000;

  private static final String SQL =
      DSL.using(SQLDialect.POSTGRES)
          .render(
              DSL.select(
                  function(
                      name("pg_catalog", "set_config"),
                      String.class,
                      param("name", String.class),
                      param("value", String.class),
                      inline(true))));

  void requireValid(String setting, String value) {
    declared.requireSetting(setting);
    var length = value.codePointCount(0, value.length());
    if (length > VALUE_MAX || value.indexOf(0) >= 0) {
      throw new IllegalArgumentException(
          "the value of setting %s must have at most %d characters, none of them NUL, not %d"
              .formatted(setting, VALUE_MAX, length));
    }
  }

  void set(Session session, String setting, String value) throws SQLException {
    try (var statement = session.prepare(SQL)) {
      statement.setString(1, setting);
      statement.setString(2, value);
      statement.executeQuery().close();
    }
  }
}
