package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.CUSTOMER;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.countDistinct;
import static org.jooq.impl.DSL.select;
import static org.jooq.impl.DSL.selectFrom;
import static org.jooq.impl.DSL.trueCondition;

import io.leasehold.db.Acme;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Record;
import org.jooq.ResultQuery;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** A caller who reads another tenant's rows too: the scoped DSL alone. */
class ReadableTenantsTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  private static final UUID ANN = Acme.ANN.value();
  private static final UUID BOB = Acme.BOB.value();

  @Test
  void allAreRead() {
    assertThat(owners(ORDERS.TENANT_ID, tx -> tx.selectFrom(ORDERS))).containsOnly(ANN, BOB);
  }

  @Test
  void allAreReadInSubqueries() {
    var distinct = countDistinct(CUSTOMER.TENANT_ID);

    int seen =
        tenants.annReadingBob(
            tx ->
                tx.fetchSingle(select(select(distinct).from(CUSTOMER).asField())).into(int.class));

    assertThat(seen).isEqualTo(2);
  }

  @Test
  void allAreReadInViews() {
    var view = io.leasehold.db.acme.Tables.ORDER_V;

    assertThat(owners(view.TENANT_ID, tx -> tx.selectFrom(view))).containsOnly(ANN, BOB);
  }

  @Test
  void oneOfThemMayBeNamed() {
    assertThat(
            owners(ORDERS.TENANT_ID, tx -> tx.selectFrom(ORDERS).where(ORDERS.TENANT_ID.eq(BOB))))
        .containsOnly(BOB);
  }

  @Test
  void anotherTenantMayNotBeNamed() {
    assertThatThrownBy(
            () ->
                tenants.annReadingBob(
                    tx ->
                        tx.fetchCount(
                            selectFrom(ORDERS).where(ORDERS.TENANT_ID.eq(Acme.CAT.value())))))
        .isInstanceOfSatisfying(
            JobsException.class,
            e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.TENANT_FOREIGN));
  }

  @Test
  void onlyOwnRowsAreWritten() throws SQLException {
    var before = tenants.rowsOfOthers();

    int written =
        tenants.annReadingBob(
            tx ->
                tx.update(ORDERS).set(ORDERS.NOTE, "x").where(trueCondition()).execute()
                    + tx.deleteFrom(TICKET).where(trueCondition()).execute()
                    + tx.insertInto(TICKET).set(TICKET.number, 2).onConflictDoNothing().execute());

    assertThat(written).isEqualTo(ThreeTenants.ORDERS_EACH + 1);
    assertThat(tenants.rowsOfOthers()).isEqualTo(before);
  }

  @Test
  void insertForAnotherTenantIsRefused() {
    assertThatThrownBy(
            () ->
                tenants.annReadingBob(
                    tx ->
                        tx.insertInto(TICKET)
                            .set(TICKET.number, 9)
                            .set(TICKET.tenantId, BOB)
                            .execute()))
        .isInstanceOfSatisfying(
            JobsException.class,
            e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.TENANT_FOREIGN));
  }

  @Test
  void readRowsAreCopiedToTheOwnTenant() throws SQLException {
    var before = tenants.rowsOfOthers();

    tenants.annReadingBob(
        tx ->
            tx.insertInto(ORDERS, ORDERS.CODE)
                .select(select(CUSTOMER.NAME).from(CUSTOMER))
                .execute());

    assertThat(tenants.countOf(Acme.ANN)).isEqualTo(tenants.countOf(Acme.BOB) + 6);
    assertThat(tenants.rowsOfOthers()).isEqualTo(before);
  }

  @Test
  void onlyOwnRowsAreLocked() {
    var o = ORDERS.as("o");
    var c = CUSTOMER.as("c");
    Stream.<Function<DSLContext, ResultQuery<? extends Record>>>of(
            tx -> tx.selectFrom(ORDERS).forUpdate(),
            tx -> tx.selectFrom(ORDERS).forShare(),
            tx -> tx.selectFrom(ORDERS).forNoKeyUpdate().skipLocked(),
            tx -> tx.selectFrom(o).forKeyShare().of(o),
            tx -> tx.select(o.TENANT_ID).from(o).join(c).on(c.ID.eq(o.CUSTOMER_ID)).forUpdate(),
            tx -> tx.selectFrom(selectFrom(ORDERS).asTable("d")).forUpdate())
        .forEach(query -> assertThat(owners(ORDERS.TENANT_ID.getName(), query)).containsOnly(ANN));
  }

  @Test
  void tablesWithoutALockShowReadableRows() {
    var o = ORDERS.as("o");
    var c = CUSTOMER.as("c");

    var besides =
        owners(c.TENANT_ID, tx -> tx.select(c.TENANT_ID).from(o).crossJoin(c).forUpdate().of(o));

    assertThat(besides).containsOnly(ANN, BOB);
  }

  private static List<UUID> owners(
      Field<UUID> column, Function<DSLContext, ResultQuery<? extends Record>> q) {
    return tenants.annReadingBob(tx -> q.apply(tx).fetch(column));
  }

  private static List<UUID> owners(
      String column, Function<DSLContext, ResultQuery<? extends Record>> q) {
    return tenants.annReadingBob(tx -> q.apply(tx).fetch(column, UUID.class));
  }
}
