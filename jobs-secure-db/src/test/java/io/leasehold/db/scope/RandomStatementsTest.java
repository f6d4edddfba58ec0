package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.coalesce;
import static org.jooq.impl.DSL.field;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.max;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.Acme;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import java.sql.SQLException;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.jooq.DSLContext;
import org.jooq.Query;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;
import org.jooq.impl.SQLDataType;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.RegisterExtension;

/**
 * Random statements through the scoped DSL alone, beside plain jOOQ over a database in which the
 * others' rows do not exist.
 *
 * <p>A seed is taken from the property {@code leasehold.seed}, and printed.
 */
class RandomStatementsTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  private static final int TIMES = "full".equals(System.getProperty("leasehold.proof")) ? 5 : 1;
  private static final int SELECTS = TIMES * 300;
  private static final int WRITES = TIMES * 100;
  private static final int DEPTH = 3;

  // The rules of the tables themselves: a random write may break them.
  private static final Set<ErrorCode> BROKEN_RULES =
      Set.of(ErrorCode.KEY_TAKEN, ErrorCode.REFERENCE_BROKEN, ErrorCode.VALUE_REFUSED);

  private final long seed = Long.getLong("leasehold.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final RandomSelects selects = new RandomSelects(random);

  @BeforeEach
  void printSeed(TestReporter reporter) {
    reporter.publishEntry("leasehold.seed", Long.toString(seed));
  }

  @Test
  void seeOnlyOwnRows() throws SQLException {
    compare(Acme.of(Acme.ANN), Set.of(Acme.BOB.toString(), Acme.CAT.toString()));
  }

  @Test
  void seeOnlyReadableRows() throws SQLException {
    compare(Acme.of(Acme.ANN, Acme.BOB), Set.of(Acme.CAT.toString()));
  }

  private void compare(SecurityContext caller, Set<String> others) throws SQLException {
    try (var connection = tenants.acme().database().connectAsAdministrator()) {
      connection.setAutoCommit(false);
      try (var statement = connection.createStatement()) {
        for (var other : others) {
          for (var table : List.of("orders", "customer", "ticket")) {
            statement.execute("DELETE FROM acme.%s WHERE tenant_id = '%s'".formatted(table, other));
          }
        }
      }
      var plain = DSL.using(connection, SQLDialect.POSTGRES);
      var found = 0;
      for (int i = 0; i < SELECTS; i++) {
        var query = selects.next(DEPTH);
        var expected = rows(plain, query);

        var seen = tenants.as(caller, tx -> rows(tx, query));

        assertThat(seen).as("seed %d, select %d: %s", seed, i, query).isEqualTo(expected);
        found += seen.isEmpty() ? 0 : 1;
      }
      assertThat(found)
          .as("selects that find something, with seed %d", seed)
          .isGreaterThan(SELECTS / 3);
      connection.rollback();
    }
  }

  private static List<String> rows(DSLContext dsl, ResultQuery<? extends Record> query) {
    return dsl.fetch(query).stream().map(row -> String.valueOf(row.get(0))).sorted().toList();
  }

  @Test
  void changeNoForeignRow() throws SQLException {
    var before = tenants.rowsOfOthers();

    for (int i = 0; i < WRITES; i++) {
      var write = write(i);
      run(write);
      if (i % 20 == 0 || i == WRITES - 1) {
        assertThat(tenants.rowsOfOthers())
            .as("seed %d, write %d: %s", seed, i, write)
            .isEqualTo(before);
      }
    }
  }

  private static void run(Query write) {
    try {
      tenants.annReadingBob(tx -> tx.execute(write));
    } catch (JobsException e) {
      if (!BROKEN_RULES.contains(e.code())) {
        throw e;
      }
    }
  }

  private Query write(int i) {
    var text =
        coalesce(
            field(
                select(max(field(name("c"), SQLDataType.CLOB))).from(selects.next(1).asTable("t"))),
            inline("-"));
    return switch (random.nextInt(9)) {
      case 0 -> DSL.update(ORDERS).set(ORDERS.NOTE, text).where(selects.condition(ORDERS));
      case 1 -> DSL.update(TICKET).set(TICKET.title, text).where(selects.condition(TICKET));
      case 2 ->
          DSL.update(CUSTOMER)
              .set(CUSTOMER.NAME, text)
              .from(ORDERS)
              .where(selects.condition(CUSTOMER).or(selects.condition(ORDERS)));
      case 3 -> DSL.deleteFrom(ORDERS).where(selects.condition(ORDERS));
      case 4 -> DSL.deleteFrom(TICKET).using(CUSTOMER).where(selects.condition(TICKET));
      case 5 -> DSL.insertInto(ORDERS, ORDERS.CODE, ORDERS.NOTE).values(inline("n" + i), text);
      case 6 -> DSL.insertInto(ORDERS, ORDERS.CODE).select(selects.next(2));
      case 7 ->
          DSL.insertInto(TICKET, TICKET.number, TICKET.title)
              .values(random.nextInt(9), "x")
              .onConflict(TICKET.number)
              .doUpdate()
              .set(TICKET.title, text)
              .where(selects.condition(TICKET));
      default ->
          DSL.insertInto(TICKET, TICKET.number, TICKET.title)
              .values(random.nextInt(9), "y")
              .values(random.nextInt(9) + 9, "y")
              .onConflictDoNothing();
    };
  }
}
