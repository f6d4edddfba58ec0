package io.leasehold.engine.time.delayed;

import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class MoveDueJobsTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  @Test
  void movesADueJobWithItsAttempts() throws SQLException {
    var id = queue.scheduled(today(), -1);
    queue.run("UPDATE leasehold.scheduled SET attempts = 2, started_at = 'epoch'");
    var before =
        queue.ask(
            "SELECT to_jsonb(scheduled) - '{reason,written_at}'::text[] FROM leasehold.scheduled");

    assertThat(move(10)).containsExactly("default");

    assertThat(queue.traces(id)).containsOnlyKeys("job", "ready");
    assertThat(queue.ask("SELECT to_jsonb(ready) FROM leasehold.ready")).isEqualTo(before);
  }

  @Test
  void leavesAJobThatIsNotDue() throws SQLException {
    var id = queue.scheduled(today(), 60_000);

    assertThat(move(10)).isEmpty();

    assertThat(queue.traces(id)).containsOnlyKeys("job", "scheduled");
  }

  @Test
  void movesJobsThatAreDueLongestFirst() throws SQLException {
    queue.scheduled(today(), -1);
    var longest = queue.scheduled(today(), -1_000);

    assertThat(move(1)).hasSize(1);

    assertThat(queue.traces(longest)).containsKey("ready");
  }

  @Test
  void skipsJobsThatOthersAreMoving() throws SQLException {
    var first = queue.scheduled(today(), -1_000);
    var second = queue.scheduled(today(), -1);

    var moved =
        queue
            .transactions()
            .asEngine(
                other -> {
                  MoveDueJobs.move(other, 1);
                  return CompletableFuture.supplyAsync(() -> move(10)).join();
                });

    assertThat(moved).hasSize(1);
    assertThat(queue.traces(first)).containsEntry("ready", 1L);
    assertThat(queue.traces(second)).containsEntry("ready", 1L);
  }

  @Test
  void returnsWhenTheNextJobIsDue() throws SQLException {
    queue.scheduled(today(), 90_000);
    queue.scheduled(today(), 30_000);

    assertThat(queue.transactions().asEngine(NextDue::in))
        .hasValueSatisfying(
            next -> assertThat(next).isBetween(Duration.ofSeconds(20), Duration.ofSeconds(30)));
  }

  @Test
  void returnsNothingIfNoJobWillBeDue() {
    assertThat(queue.transactions().asEngine(NextDue::in)).isEmpty();
  }

  private static List<String> move(int limit) {
    return queue.transactions().asEngine(tx -> Moving.move(tx, limit));
  }
}
