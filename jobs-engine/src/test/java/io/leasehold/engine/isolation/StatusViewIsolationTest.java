package io.leasehold.engine.isolation;

import static io.leasehold.db.schema.Tables.JOB_STATUS_V;
import static io.leasehold.db.schema.Tables.OUTCOME;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The views of jobs, each layer alone. */
class StatusViewIsolationTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final TenantId ANN = new TenantId(new UUID(1, 1));
  private static final TenantId BOB = new TenantId(new UUID(1, 2));
  private static final TenantId CAT = new TenantId(new UUID(1, 3));
  private static final int JOBS_EACH = 7;

  private static Connection administrator;
  private static OpenService service;
  private static Victim bob;

  @BeforeAll
  static void store() throws SQLException {
    administrator = database.connectAsAdministrator();
    service = OpenService.on(database, EngineConfig.defaults());
    Victim.of(administrator, ANN);
    bob = Victim.of(administrator, BOB);
    Victim.of(administrator, CAT);
  }

  @AfterAll
  static void close() throws SQLException {
    service.close();
    administrator.close();
  }

  private static final UUID FIRST = new UUID(0, 0);
  private static final UUID BEYOND = new UUID(-1, -1);

  private static List<TenantId> seen(String rows, String entered) throws SQLException {
    try (var connection = database.connectAs("leasehold_tenant");
        var statement = connection.createStatement()) {
      connection.setAutoCommit(false);
      database.enterTenant(connection, entered);
      var tenants = new ArrayList<TenantId>();
      try (var found = statement.executeQuery("SELECT tenant_id FROM leasehold." + rows)) {
        while (found.next()) {
          tenants.add(new TenantId(found.getObject(1, UUID.class)));
        }
      }
      return tenants;
    }
  }

  @Test
  void rowLevelSecurityAloneIsolatesThem() throws SQLException {
    var all = "list_jobs(NULL, NULL, NULL, NULL, '%s', '%s', 1000)".formatted(FIRST, BEYOND);
    for (var rows : List.of("job_status_v", all)) {
      assertThat(seen(rows, ANN.toString())).hasSize(JOBS_EACH).containsOnly(ANN);
      assertThat(seen(rows, ANN + "," + BOB)).containsOnly(ANN, BOB);
      assertThat(seen(rows, "")).isEmpty();
    }
  }

  @Test
  void theScopedDslAloneIsolatesThem() throws SQLException {
    var ann = SecurityContext.of("ann", ANN).build();
    var both = SecurityContext.of("ann", ANN).reading(Set.of(BOB)).build();
    bob.execute(RowLevelSecurity.OFF);
    try {
      assertThat(seen("job_status_v", ANN.toString())).contains(ANN, BOB, CAT);
      assertThat(scoped(ann)).containsOnly(ANN);
      assertThat(scoped(both)).contains(ANN, BOB).doesNotContain(CAT);
    } finally {
      bob.execute(RowLevelSecurity.ON);
    }
  }

  private static List<TenantId> scoped(SecurityContext caller) {
    return service
        .transactions()
        .asTenant(
            caller,
            tx -> {
              var all = new ArrayList<TenantId>();
              all.addAll(tx.selectFrom(JOB_STATUS_V).fetch(JOB_STATUS_V.TENANT_ID));
              service.jobs().list(caller, JobFilter.newest()).jobs().stream()
                  .map(Job::tenant)
                  .forEach(all::add);
              all.addAll(tx.selectFrom(OUTCOME).fetch(OUTCOME.TENANT_ID));
              return all;
            });
  }
}
