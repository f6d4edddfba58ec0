package io.leasehold.engine.maintenance.retention;

import static io.leasehold.engine.maintenance.TestQueue.TENANT;
import static io.leasehold.engine.maintenance.TestQueue.today;
import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.ExternalStorage;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

class RemoveElsewhereTest {

  @RegisterExtension static final TestQueue queue = new TestQueue();

  private static final int MANY = 450;

  private final Place place = new Place();

  private static final class Place implements ExternalStorage {

    private final List<JobId> kept = new ArrayList<>();
    private final List<JobId> deleted = new ArrayList<>();
    private final List<JobId> tidied = new ArrayList<>();
    private JobId stubborn = new JobId(new UUID(0, 0));
    private TenantId tenant = new TenantId(TENANT);
    private boolean isThere = true;

    private JobId keep(UUID id) {
      var job = new JobId(id);
      kept.add(job);
      return job;
    }

    @Override
    public void visit(Visitor visitor) throws IOException, InterruptedException {
      if (!isThere) {
        throw new IOException("not mounted");
      }
      for (var job : kept) {
        visitor.job(tenant, job);
      }
    }

    @Override
    public void deleteAll(TenantId owner, JobId job) throws IOException {
      if (job.equals(stubborn)) {
        throw new IOException("busy");
      }
      deleted.add(job);
    }

    @Override
    public void deleteLeftOver(TenantId owner, JobId job) {
      tidied.add(job);
    }
  }

  private void remove(ExternalStorage... places) {
    new RemoveElsewhere(queue.transactions(), new LinkedHashSet<>(List.of(places))).remove();
  }

  @Test
  void removesAllDataOfDeletedJobs() {
    var gone = place.keep(TestQueue.idOf(today()));

    remove(place);

    assertThat(place.deleted).containsExactly(gone);
    assertThat(place.tidied).isEmpty();
  }

  @Test
  void removesLeftoversOfExistingJobsInAnyState() throws SQLException {
    place.keep(queue.ready(today()));
    place.keep(queue.scheduled(today(), 60_000));
    place.keep(queue.waiting(today()));
    place.keep(queue.leased(today(), UUID.randomUUID(), 1, "requeue", 60));
    place.keep(queue.ended(today(), "succeeded", 3));
    place.keep(queue.ended(today(), "failed", 3));

    remove(place);

    assertThat(place.deleted).isEmpty();
    assertThat(place.tidied).containsExactlyInAnyOrderElementsOf(place.kept);
  }

  @Test
  void treatsAnotherTenantsJobAsDeleted() throws SQLException {
    var id = place.keep(queue.ready(today()));
    place.tenant = new TenantId(new UUID(0, 77));

    remove(place);

    assertThat(place.deleted).containsExactly(id);
  }

  @Test
  void handlesAnyNumberOfJobs() throws SQLException {
    var there = place.keep(queue.ready(today()));
    for (var i = 0; i < MANY; i++) {
      place.keep(TestQueue.idOf(today()));
    }

    remove(place);

    assertThat(place.deleted).hasSize(MANY).doesNotHaveDuplicates().doesNotContain(there);
    assertThat(place.tidied).containsExactly(there);
  }

  @Test
  void continuesAfterDataThatCannotBeRemovedOrListed() {
    var broken = new Place();
    broken.isThere = false;
    place.stubborn = place.keep(TestQueue.idOf(today()));
    var gone = place.keep(TestQueue.idOf(today()));

    remove(broken, place);

    assertThat(place.deleted).containsExactly(gone);
  }

  @Test
  void doesNothingWithoutExternalStorage() {
    assertThat(new RemoveElsewhere(queue.transactions(), Set.of()).isOn()).isFalse();
  }
}
