package io.leasehold.rest.isolation;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.Key;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.rest.http.Route;
import io.leasehold.rest.stack.Proof;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Many tenants at once, by every route: none is ever shown a word of another's. */
class IsolationUnderLoadTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final int SOME = 5_000;
  private static final int PROOF = 100_000;
  private static final int TENANTS = 20;
  private static final int THREADS = 8;

  private final long seed = Long.getLong("leasehold.seed", new Random().nextLong());
  private final Marks marks = new Marks();
  private final RandomCalls.Seen seen = new RandomCalls.Seen();

  static RestStack stack;

  @BeforeAll
  static void start() {
    stack = RestStack.on(database);
  }

  @AfterAll
  static void stop() {
    stack.close();
  }

  @Test
  void noTenantSeesAnothersData() throws InterruptedException, ExecutionException {
    System.out.println("isolation under load: seed " + seed);
    var count = Proof.times(SOME, PROOF);
    var random = new Random(seed);
    var tenants = Stream.generate(() -> new Tenant(random, stack, marks)).limit(TENANTS).toList();
    tenants.forEach(tenant -> Stream.of(Trick.values()).forEach(tenant::submit));

    callAtOnce(tenants, count / THREADS);

    assertThat(seen.done().keySet())
        .containsExactlyInAnyOrderElementsOf(
            stack.inside(new Key<List<Route>>() {}).stream().map(Route::toString).toList());
    assertThat(seen.done().values().stream().mapToInt(n -> n).sum()).isEqualTo(count);
    assertOwnWordsAreShown();
    assertThat(tenants).allSatisfy(IsolationUnderLoadTest::assertKept);
  }

  private void callAtOnce(List<Tenant> tenants, int count)
      throws InterruptedException, ExecutionException {
    try (var threads = Executors.newFixedThreadPool(THREADS)) {
      var calling = new ArrayList<Future<?>>();
      for (var thread = 0; thread < THREADS; thread++) {
        var calls = new RandomCalls(seed + thread, tenants, marks, seen);
        calling.add(threads.submit(() -> calls.call(count)));
      }
      for (var call : calling) {
        call.get();
      }
    }
  }

  /** Else it would say nothing that no other's were. */
  private void assertOwnWordsAreShown() {
    assertThat(
            Stream.of(
                    "jobs",
                    "jobs/{id}",
                    "jobs/{id}/result",
                    "jobs/{id}/outputs",
                    "jobs/{id}/outputs/{name}",
                    "jobs/{id}/dependencies",
                    "jobs/{id}/tasks",
                    "batches/{id}",
                    "jobs/{id}/events",
                    "jobs/{id}/events/stream",
                    "schedules",
                    "schedules/{name}")
                .map(path -> seen.own().getOrDefault("GET /api/v1/" + path, 0)))
        .allMatch(times -> times > 10);
  }

  /** Others tried to end it. */
  private static void assertKept(Tenant tenant) {
    var caller = SecurityContext.of(tenant.canary(), tenant.id()).build();
    var job = stack.jobs().find(caller, tenant.kept()).orElseThrow();
    assertThat(job.status()).isEqualTo(JobStatus.QUEUED);
  }
}
