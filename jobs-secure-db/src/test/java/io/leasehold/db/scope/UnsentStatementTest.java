package io.leasehold.db.scope;

import static io.leasehold.db.Acme.ANN;
import static io.leasehold.db.Acme.BOB;
import static io.leasehold.db.acme.Tables.ORDERS;
import static io.leasehold.db.scope.Ticket.TICKET;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.TenantId;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jooq.DSLContext;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The text of a scoped statement cannot be prepared by hand, whether it was sent or not. */
class UnsentStatementTest {

  // What a batch of records writes for the first of them, before it looks at the second.
  private static final String COLLECTED =
      "insert into \"acme\".\"ticket\" (\"tenant_id\", \"number\") values (cast(? as uuid), ?)";

  @RegisterExtension static final ThreeTenants tenants = new ThreeTenants();

  @Test
  void cannotBePreparedByHandAfterABatchThatWasRefused() {
    tenants.annDoes(
        tx -> {
          var batch = tx.batchInsert(ticket(tx, ANN), ticket(tx, BOB));
          assertFails(ErrorCode.TENANT_FOREIGN, batch::execute);

          assertFails(ErrorCode.STATEMENT_REFUSED, () -> prepareByHand(tx, COLLECTED));
        });
  }

  @Test
  void cannotBePreparedByHandAfterItWasShown() {
    tenants.annDoes(
        tx -> {
          var shown = tx.selectFrom(ORDERS).getSQL();

          assertFails(ErrorCode.STATEMENT_REFUSED, () -> prepareByHand(tx, shown));
        });
  }

  @Test
  void cannotBePreparedByHandAfterItWasSent() {
    tenants.annDoes(
        tx -> {
          var select = tx.selectFrom(ORDERS);
          select.execute();

          assertFails(ErrorCode.STATEMENT_REFUSED, () -> prepareByHand(tx, select.getSQL()));
        });
  }

  private static void prepareByHand(DSLContext tx, String sql) {
    tx.connection(connection -> connection.prepareStatement(sql));
  }

  private static void assertFails(ErrorCode code, ThrowingCallable work) {
    assertThat(catchThrowableOfType(JobsException.class, work).code()).isEqualTo(code);
  }

  private static Ticket.Row ticket(DSLContext tx, TenantId tenant) {
    var ticket = tx.newRecord(TICKET);
    ticket.set(TICKET.tenantId, tenant.value());
    ticket.set(TICKET.number, 100);
    return ticket;
  }
}
