package io.leasehold.engine.service.submit;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.TransactionOptions.Isolation;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.service.query.OpenService;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** What a key stands for, also to those who see the database as it was. */
class KeysTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final JobType<String, String> TYPE =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~test.submit.keyed.job.v1", String.class, String.class);
  private static final TransactionOptions OLD_SNAPSHOT =
      TransactionOptions.defaults().isolation(Isolation.REPEATABLE_READ);

  private OpenService service;

  @BeforeEach
  void open() {
    service = OpenService.on(database, EngineConfig.defaults());
  }

  @AfterEach
  void close() {
    service.close();
  }

  private List<Submission> submit(String... keys) {
    return service
        .jobs()
        .submitAll(CALLER, Stream.of(keys).map(key -> TYPE.request("").key(key)).iterator());
  }

  private JobId one(String key) {
    return submit(key).getFirst().jobId();
  }

  private void deleteBeside(JobId id) {
    CompletableFuture.runAsync(() -> service.jobs().delete(CALLER, id)).join();
  }

  @Test
  void identifyOneJobForRepeatedRequests() {
    var submitted = submit("a", "b", "a");
    var again = submit("b", "a");

    assertThat(submitted).extracting(Submission::repeated).containsExactly(false, false, true);
    assertThat(submitted.get(2).jobId()).isEqualTo(submitted.get(0).jobId());
    assertThat(again)
        .containsExactly(
            new Submission(submitted.get(1).jobId(), true),
            new Submission(submitted.get(0).jobId(), true));
  }

  @Test
  void areFreeOnceTheirJobIsDeleted() {
    var first = one("freed");
    service.jobs().delete(CALLER, first);

    assertThat(submit("freed").getFirst().repeated()).isFalse();
  }

  @Test
  void areFreeInATransactionThatStillSeesTheDeletedJob() {
    var gone = List.of(one("gone 1"), one("gone 2"));

    var submitted =
        service
            .transactions()
            .asTenant(
                CALLER,
                OLD_SNAPSHOT,
                tx -> {
                  service.jobs().list(CALLER, JobFilter.newest());
                  gone.forEach(this::deleteBeside);
                  return submit("gone 1", "new", "gone 2");
                });

    assertThat(submitted).extracting(Submission::repeated).containsOnly(false);
    assertThat(submitted)
        .extracting(Submission::jobId)
        .doesNotHaveDuplicates()
        .doesNotContainAnyElementsOf(gone)
        .allSatisfy(id -> assertThat(service.jobs().find(CALLER, id)).isPresent());
  }
}
