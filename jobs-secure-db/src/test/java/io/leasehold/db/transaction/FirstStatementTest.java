package io.leasehold.db.transaction;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.OpenAcme.order;
import static io.leasehold.db.acme.Tables.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.db.OpenAcme;
import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionOptions.Isolation;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.ResultQuery;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Any kind of statement can be the one that carries a transaction's opening. */
class FirstStatementTest {

  @RegisterExtension
  static final OpenAcme acme = new OpenAcme(limits -> limits.tenantConnections(1));

  @BeforeEach
  void threeOrders() throws SQLException {
    acme.acme()
        .execute(
            """
            DELETE FROM acme.orders;
            INSERT INTO acme.orders (tenant_id, code, total)
            SELECT '%s', 'o' || n, n FROM generate_series(1, 3) n;
            INSERT INTO acme.orders (tenant_id, code) VALUES ('%s', 'bob');
            """
                .formatted(ANN, BOB));
  }

  record Shape(String name, Object expected, Function<ScopedTransaction, Object> first) {
    @Override
    public String toString() {
      return name;
    }
  }

  static Stream<Shape> shapes() {
    return Stream.of(
        new Shape("select", List.of(1, 2, 3), tx -> totals(tx).fetch(ORDERS.TOTAL)),
        new Shape("select one", 2, tx -> one(tx).fetchSingle().value1()),
        new Shape("stream", List.of(1, 2, 3), FirstStatementTest::streamed),
        new Shape("lazy", List.of(1, 2, 3), tx -> lazily(totals(tx))),
        new Shape("lazy, one by one", List.of(1, 2, 3), tx -> lazily(totals(tx).fetchSize(1))),
        new Shape("lazy, by two", List.of(1, 2, 3), tx -> lazily(totals(tx).fetchSize(2))),
        new Shape("at most two", List.of(1, 2), tx -> totals(tx).maxRows(2).fetch(ORDERS.TOTAL)),
        new Shape("at most one", List.of(1), tx -> totals(tx).maxRows(1).fetch(ORDERS.TOTAL)),
        new Shape("with a limit in time", 3, tx -> totals(tx).queryTimeout(9).fetch().size()),
        new Shape("insert", 1, tx -> order(tx, "new")),
        new Shape(
            "insert of two",
            2,
            tx -> tx.insert(ORDERS).columns(ORDERS.CODE).values("a").values("b").execute()),
        new Shape(
            "insert returning",
            "new",
            tx ->
                tx.insert(ORDERS)
                    .set(ORDERS.CODE, "new")
                    .returningResult(ORDERS.CODE)
                    .fetchSingle()
                    .value1()),
        new Shape(
            "update",
            2,
            tx -> tx.update(ORDERS).set(ORDERS.TOTAL, 9).where(ORDERS.TOTAL.lt(3)).execute()),
        new Shape(
            "update returning",
            List.of(9, 9),
            tx ->
                tx.update(ORDERS)
                    .set(ORDERS.TOTAL, 9)
                    .where(ORDERS.TOTAL.lt(3))
                    .returning(ORDERS.TOTAL)
                    .fetch(ORDERS.TOTAL)),
        new Shape("delete", 1, tx -> tx.delete(ORDERS).where(ORDERS.TOTAL.eq(3)).execute()),
        new Shape(
            "on conflict",
            1,
            tx ->
                tx.insert(ORDERS)
                    .set(ORDERS.CODE, "o1")
                    .onConflict(ORDERS.TENANT_ID, ORDERS.CODE)
                    .doUpdate()
                    .set(ORDERS.TOTAL, 7)
                    .execute()),
        new Shape("batch", List.of(1, 1), FirstStatementTest::batch),
        new Shape("function", true, FirstStatementTest::callsAFunction),
        new Shape("without a table", 5, tx -> tx.dsl().select(val(5)).fetchSingle().value1()),
        new Shape("exists", true, tx -> tx.dsl().fetchExists(ORDERS)),
        new Shape("count", 3, tx -> tx.dsl().fetchCount(ORDERS)));
  }

  private static ResultQuery<?> totals(ScopedTransaction tx) {
    return tx.selectFrom(ORDERS).orderBy(ORDERS.TOTAL);
  }

  private static ResultQuery<org.jooq.Record1<Integer>> one(ScopedTransaction tx) {
    return tx.dsl().select(ORDERS.TOTAL).from(ORDERS).where(ORDERS.CODE.eq("o2"));
  }

  private static List<Integer> streamed(ScopedTransaction tx) {
    try (var rows = totals(tx).fetchSize(1).stream()) {
      return rows.map(row -> row.get(ORDERS.TOTAL)).toList();
    }
  }

  private static List<Integer> lazily(ResultQuery<?> query) {
    var totals = new ArrayList<Integer>();
    try (var rows = query.fetchLazy()) {
      rows.forEach(row -> totals.add(row.get(ORDERS.TOTAL)));
    }
    return totals;
  }

  private static List<Integer> batch(ScopedTransaction tx) {
    var code = tx.insert(ORDERS).set(ORDERS.CODE, "");
    var counts = tx.dsl().batch(code).bind("b1").bind("b2").execute();
    return IntStream.of(counts).boxed().toList();
  }

  private static boolean callsAFunction(ScopedTransaction tx) {
    return Integer.parseInt(tx.dsl().fetchSingle(OpenAcme.call("backend")).value1()) > 0;
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void isSentWithTheOpening(Shape shape) {
    var result = acme.transactions().asTenant(Acme.of(ANN), shape.first::apply);

    assertThat(result).isEqualTo(shape.expected);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void isSentWithTheOpeningOfAnotherIsolation(Shape shape) {
    var options = TransactionOptions.defaults().isolation(Isolation.SERIALIZABLE);

    var result = acme.transactions().asTenant(Acme.of(ANN), options, shape.first::apply);

    assertThat(result).isEqualTo(shape.expected);
  }

  @ParameterizedTest
  @MethodSource("shapes")
  void isSentWithTheOpeningAndTheCommit(Shape shape) {
    var options = TransactionOptions.defaults().asOneStatement();

    var result = acme.transactions().asTenant(Acme.of(ANN), options, shape.first::apply);

    assertThat(result).isEqualTo(shape.expected);
  }

  // The driver prepares a statement on the server at its fifth execution.
  @Test
  void isSentWithTheOpeningIfPrepared() {
    for (int i = 0; i < 12; i++) {
      var tenant = i % 2 == 0 ? ANN : BOB;
      var total = i;

      var seen =
          acme.transactions()
              .asTenant(
                  Acme.of(tenant),
                  tx ->
                      tx.dsl()
                          .select(ORDERS.TENANT_ID, val(total))
                          .from(ORDERS)
                          .fetchSet(0, String.class));

      assertThat(seen).containsExactly(tenant.toString());
    }
  }

  @ParameterizedTest
  @EnumSource
  void canBeAKeptStatement(Isolation isolation) {
    var options = TransactionOptions.defaults().isolation(isolation);

    var seen =
        acme.transactions()
            .asTenant(
                Acme.of(ANN),
                options,
                tx -> {
                  try (var kept = one(tx).keepStatement(true)) {
                    return IntStream.range(0, 8).map(_ -> kept.fetchSingle().value1()).sum();
                  }
                });

    assertThat(seen).isEqualTo(16);
  }

  @Test
  void canBeRunAgain() {
    var seen =
        acme.transactions()
            .asTenant(
                Acme.of(ANN),
                tx -> IntStream.range(0, 8).map(_ -> one(tx).fetchSingle().value1()).sum());

    assertThat(seen).isEqualTo(16);
  }

  @Test
  void readsALazyResultBesideOtherStatements() {
    var codes =
        acme.transactions()
            .asTenant(
                Acme.of(ANN),
                tx -> {
                  var seen = new ArrayList<Integer>();
                  try (var rows = totals(tx).fetchSize(1).fetchLazy()) {
                    for (var row : rows) {
                      order(tx, "beside " + row.get(ORDERS.TOTAL));
                      seen.add(row.get(ORDERS.TOTAL));
                    }
                  }
                  return seen;
                });

    assertThat(codes).containsExactly(1, 2, 3);
  }

  @Test
  void startsWithASubqueryOfItsOwn() {
    var seen =
        acme.transactions()
            .asTenant(
                Acme.of(ANN),
                tx ->
                    tx.selectFrom(ORDERS)
                        .where(ORDERS.ID.in(select(ORDERS.ID).from(ORDERS)))
                        .fetch());

    assertThat(seen).hasSize(3);
  }
}
