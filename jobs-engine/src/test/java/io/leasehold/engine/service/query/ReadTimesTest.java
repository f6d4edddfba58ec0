package io.leasehold.engine.service.query;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.EngineConfig;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How long pages of 50 take with a million finished jobs. On a machine that does other things as
 * well it says little: {@code LEASEHOLD_TEST_TIMES=yes} runs it.
 */
@EnabledIfEnvironmentVariable(named = "LEASEHOLD_TEST_TIMES", matches = "yes")
class ReadTimesTest {

  private static final Logger log = LoggerFactory.getLogger(ReadTimesTest.class);

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int JOBS = 1_000_000;
  private static final int CALLS = 1_000;
  private static final long P99_MAX_MICROS = 5_000;

  @Test
  void areBounded() throws SQLException {
    try (var administrator = database.connectAsAdministrator()) {
      ManyJobs.fill(administrator, JOBS);
    }

    try (var service = OpenService.on(database, EngineConfig.defaults())) {
      for (var tenant : new int[] {1, 17}) {
        var newest = p99(service, tenant, JobFilter.newest());
        var failed = p99(service, tenant, JobFilter.newest().status(JobStatus.FAILED));

        assertThat(newest).isLessThanOrEqualTo(P99_MAX_MICROS);
        assertThat(failed).isLessThanOrEqualTo(P99_MAX_MICROS);
      }
    }
  }

  private static long p99(OpenService service, int tenant, JobFilter filter) {
    var caller = SecurityContext.of("ann", new TenantId(new UUID(1, tenant))).build();
    var micros = new long[CALLS];
    for (int i = -CALLS; i < CALLS; i++) {
      var begun = System.nanoTime();
      service.jobs().list(caller, filter);
      micros[Math.max(i, 0)] = (System.nanoTime() - begun) / 1_000;
    }
    Arrays.sort(micros);
    var p99 = micros[CALLS * 99 / 100];
    log.warn("tenant {}, {}: p50 {} us, p99 {} us", tenant, filter, micros[CALLS / 2], p99);
    return p99;
  }
}
