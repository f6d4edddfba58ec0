package io.leasehold.db.connection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.db.OpenAcme;
import io.leasehold.db.TransactionOptions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Texts as they would come through a hole in the DSL, given to a transaction's session. */
class PlainStatementTest {

  @RegisterExtension static final OpenAcme acme = new OpenAcme();

  private RolePool pool;
  private Session session;

  @BeforeEach
  void open() {
    pool = RolePool.ofTenants(acme.acme().config(), false, Map.of());
    session =
        new Session(
            pool.dataSource(),
            new Opening("select 1; ", List.of(), 1),
            TransactionOptions.defaults(),
            () -> false,
            _ -> Optional.empty(),
            new UsedConnections());
  }

  @AfterEach
  void close() throws SQLException {
    session.rollback();
    session.close();
    pool.close();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "DEALLOCATE ALL",
        "PREPARE S_1 AS SELECT 2",
        "EXECUTE S_1",
        "DO $do$ BEGIN EXECUTE 'PREPARE S_1 AS SELECT 2'; END $do$",
        "SET standard_conforming_strings = off",
        "RESET ALL",
        "DISCARD ALL",
        "COMMIT",
        "BEGIN",
        "LISTEN others",
        "LOCK TABLE acme.orders",
        "DECLARE kept CURSOR WITH HOLD FOR SELECT 1",
        "EXPLAIN ANALYZE SELECT 1",
        "COPY acme.orders TO STDOUT",
        "CREATE TABLE acme.more ()",
        "MERGE INTO acme.orders USING acme.orders AS o ON false WHEN MATCHED THEN DO NOTHING",
        "{call pg_sleep(0)}",
        " PREPARE S_1 AS SELECT 2",
        "/* select */ PREPARE S_1 AS SELECT 2",
        "-- select\nPREPARE S_1 AS SELECT 2",
        "selection",
        "select 1; PREPARE S_1 AS SELECT 2",
        "select 1; COMMIT; BEGIN",
        "select ';' ; COMMIT",
        "(select 1); COMMIT",
        ""
      })
  void noOtherStatementIsSent(String text) throws SQLException {
    assertRefused(text);

    read("select 1");
    assertRefused(text);

    assertThat(read("select count(*) from pg_prepared_statements where from_sql")).isEqualTo("0");
  }

  private void assertRefused(String text) {
    assertThatThrownBy(() -> session.prepare(text).close())
        .as(text)
        .isInstanceOfSatisfying(
            JobsException.class,
            refused -> assertThat(refused.code()).isEqualTo(ErrorCode.STATEMENT_REFUSED));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "select '; COMMIT'",
        "SELECT '; COMMIT';",
        "(select '; COMMIT') union all (select '; COMMIT' limit 0)",
        "with one as (select '; COMMIT') select * from one",
        "values ('; COMMIT')"
      })
  void aStatementOnRowsIsSent(String text) throws SQLException {
    assertThat(read(text)).isEqualTo("; COMMIT");
    assertThat(read(text)).isEqualTo("; COMMIT");
  }

  /** A text that the driver and the server take apart differently ends in an error. */
  @Test
  void theServerTakesOneStatementAtATime() throws SQLException {
    read("select 1");

    assertThatThrownBy(() -> read("select $x$ ; PREPARE S_1 AS SELECT 2"))
        .isInstanceOf(SQLException.class);
  }

  private String read(String text) throws SQLException {
    try (var statement = session.prepare(text);
        var rows = statement.executeQuery()) {
      assertThat(rows.next()).isTrue();
      return rows.getString(1);
    }
  }
}
