package io.leasehold.db.scope;

import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.jooq.impl.DSL.val;

import io.leasehold.db.Acme;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.io.Serial;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Configuration;
import org.jooq.DSLContext;
import org.jooq.ExecuteListener;
import org.jooq.SQLDialect;
import org.jooq.VisitListener;
import org.jooq.conf.MappedSchema;
import org.jooq.conf.RenderFormatting;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.RenderQuotedNames;
import org.jooq.conf.Settings;
import org.jooq.conf.StatementType;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultVisitListenerProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A statement or its configuration in other hands than those that they were made for. */
class ReusedStatementTest {

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  @Test
  void showsEachTenantItsOwnRows() {
    var query = DSL.select(ORDERS.NOTE).from(ORDERS);

    var ofAnn = tenants.ann(tx -> tx.fetch(query)).toString();
    var ofBob = tenants.as(Acme.of(Acme.BOB), tx -> tx.fetch(query)).toString();

    assertThat(ofAnn).contains(Acme.ANN.toString()).doesNotContain(Acme.BOB.toString());
    assertThat(ofBob).contains(Acme.BOB.toString()).doesNotContain(Acme.ANN.toString());
  }

  @Test
  void showsTheRowsOfTheTransactionThatItIsAttachedTo() {
    var query = tenants.ann(tx -> tx.selectFrom(ORDERS));

    var rows =
        tenants.as(
            Acme.of(Acme.BOB),
            tx -> {
              query.attach(tx.configuration());
              return query.fetch();
            });

    assertThat(rows.getValues(ORDERS.NOTE)).containsOnly(Acme.BOB.toString());
  }

  @Test
  void endsWithItsTransaction() {
    var query = tenants.ann(tx -> tx.selectFrom(ORDERS));
    var dsl = tenants.ann(tx -> tx);

    assertThatThrownBy(query::fetch).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> dsl.selectFrom(ORDERS).fetch())
        .isInstanceOf(IllegalStateException.class);
  }

  @Test
  void isClosedWithItsTransaction() {
    var query =
        tenants.ann(
            tx -> {
              var kept = tx.selectFrom(ORDERS).keepStatement(true);
              kept.fetch();
              return kept;
            });

    assertThatThrownBy(query::fetch).isInstanceOf(RuntimeException.class);
  }

  @Test
  void keepsTheTenantWhenValuesAreBoundAgain() {
    var seen =
        tenants.ann(
            tx -> {
              var query =
                  tx.select(ORDERS.NOTE).from(ORDERS).where(val(1).eq(1)).keepStatement(true);
              var first = query.fetch();
              query.bind(1, 1);
              return first.toString() + query.fetch();
            });

    assertThat(seen).doesNotContain(Acme.BOB.toString());
  }

  @Test
  void showsOnlyTheCallersOwnValues() {
    var values =
        tenants.ann(
            tx -> tx.extractBindValues(tx.selectFrom(ORDERS).where(ORDERS.CODE.eq("code"))));

    assertThat(values).isEqualTo(java.util.List.of("code"));
  }

  @Test
  void isNotSentOverTheConnection() {
    refuses(
        tx -> {
          var sql = tx.render(tx.selectFrom(ORDERS));
          return tx.connectionResult(connection -> connection.prepareStatement(sql));
        });
  }

  @Test
  void hasNoConnection() {
    refuses(tx -> tx.connectionResult(connection -> connection.createStatement()));
    refuses(tx -> tx.connectionResult(connection -> connection.nativeSQL("SELECT 1")));
    refuses(tx -> tx.meta().getTables());
    refuses(tx -> tx.batch(tx.selectFrom(ORDERS), tx.selectFrom(TICKET)).execute());
  }

  @Test
  void rowsReturnNoConnection() {
    refuses(
        tx -> {
          try (var rows = tx.selectFrom(ORDERS).fetchResultSet()) {
            return rows.getStatement().getConnection().createStatement();
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
    refuses(
        tx -> {
          try (var rows = tx.selectFrom(ORDERS).fetchResultSet()) {
            return rows.getStatement().executeQuery("TABLE acme.orders");
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
    refuses(
        tx -> {
          try (var rows = tx.selectFrom(ORDERS).fetchResultSet()) {
            return rows.unwrap(ResultSet.class);
          } catch (SQLException e) {
            throw new IllegalStateException(e);
          }
        });
  }

  @Test
  void leavesNoSettingToTheNextTransaction() {
    tenants.annDoes(tx -> tx.settings().setRenderSchema(false));

    var rows = tenants.ann(tx -> tx.fetchCount(ORDERS));

    assertThat(rows).isEqualTo(ThreeTenants.ORDERS_EACH);
  }

  static Stream<Function<Configuration, Configuration>> otherConfigurations() {
    var schema = new MappedSchema().withInput("acme").withOutput("other");
    return Stream.<Function<Configuration, Configuration>>of(
        c -> c.derive(new Settings().withRenderMapping(new RenderMapping().withSchemata(schema))),
        c -> c.derive(new Settings().withRenderSchema(false)),
        c -> c.derive(new Settings().withRenderQuotedNames(RenderQuotedNames.NEVER)),
        c -> c.derive(new Settings().withStatementType(StatementType.STATIC_STATEMENT)),
        c ->
            c.derive(
                new Settings()
                    .withRenderFormatted(true)
                    .withRenderFormatting(new RenderFormatting().withNewline(" /**/ "))),
        c -> c.derive(SQLDialect.MYSQL),
        c -> c.derive(new DefaultVisitListenerProvider(new Inlining())),
        c ->
            c.derive(
                c.visitListenerProviders()[0], new DefaultVisitListenerProvider(new Inlining())),
        c -> c.deriveAppending(new Watching()));
  }

  @ParameterizedTest
  @MethodSource("otherConfigurations")
  void isRefusedInAnotherConfiguration(Function<Configuration, Configuration> other) {
    refuses(tx -> other.apply(tx.configuration()).dsl().fetch(tx.select(ORDERS.ID).from(ORDERS)));
  }

  @Test
  void mayBeFormatted() {
    var settings = new Settings().withRenderFormatted(true).withFetchSize(10);

    var rows = tenants.ann(tx -> tx.configuration().derive(settings).dsl().fetchCount(ORDERS));

    assertThat(rows).isEqualTo(ThreeTenants.ORDERS_EACH);
  }

  @Test
  void isScopedWhenItComesFromTheParser() {
    var rows =
        tenants.ann(
            tx ->
                tx.fetch(tx.parser().parseResultQuery("select note from acme.orders order by 1")));

    assertThat(rows.getValues(0, String.class)).containsOnly(Acme.ANN.toString());
  }

  private static void refuses(Function<DSLContext, Object> statement) {
    assertThatThrownBy(() -> tenants.ann(statement))
        .hasStackTraceContaining(JobsException.class.getName())
        .satisfies(
            e -> assertThat(code(e)).as(e.getMessage()).isEqualTo(ErrorCode.STATEMENT_REFUSED));
  }

  private static ErrorCode code(Throwable e) {
    return e instanceof JobsException refusal
        ? refusal.code()
        : code(java.util.Objects.requireNonNull(e.getCause()));
  }

  private static final class Inlining implements VisitListener {}

  private static final class Watching implements ExecuteListener {
    @Serial private static final long serialVersionUID = 1L;
  }
}
