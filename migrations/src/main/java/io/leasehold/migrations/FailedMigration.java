package io.leasehold.migrations;

import java.sql.SQLException;
import java.util.Optional;
import java.util.stream.Stream;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.internal.sqlscript.FlywaySqlScriptException;
import org.jspecify.annotations.Nullable;
import org.postgresql.util.PSQLException;
import org.postgresql.util.ServerErrorMessage;

/** Summarizes Flyway's page-long error in one sentence: which file, where, why. */
final class FailedMigration {

  private static final int STATEMENT_LIMIT = 300;

  private FailedMigration() {}

  static MigrationException of(FlywayException e) {
    return find(MigrationException.class, e)
        .or(() -> find(FlywaySqlScriptException.class, e).map(FailedMigration::inScript))
        .orElseGet(() -> new MigrationException(String.valueOf(e.getMessage()).strip(), e));
  }

  private static MigrationException inScript(FlywaySqlScriptException e) {
    return new MigrationException(
        "migration %s failed at line %d: %s: %s"
            .formatted(
                Optional.ofNullable(e.getResource()).map(it -> it.getFilename()).orElse("?"),
                e.getLineNumber(),
                reason(e),
                shortened(String.valueOf(e.getStatement()).strip())),
        e);
  }

  private static String reason(FlywaySqlScriptException e) {
    return find(PSQLException.class, e)
        .map(PSQLException::getServerErrorMessage)
        .map(ServerErrorMessage::getMessage)
        .or(() -> find(SQLException.class, e).map(Throwable::getMessage))
        .orElse("unknown");
  }

  private static String shortened(String statement) {
    return statement.length() <= STATEMENT_LIMIT
        ? statement
        : statement.substring(0, STATEMENT_LIMIT) + " ...";
  }

  private static <E extends Throwable> Optional<E> find(Class<E> type, @Nullable Throwable e) {
    return Stream.iterate(e, it -> it != null, Throwable::getCause)
        .filter(type::isInstance)
        .map(type::cast)
        .findFirst();
  }
}
