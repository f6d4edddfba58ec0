package io.leasehold.engine.maintenance.retention;

import io.leasehold.db.Transactions;
import io.leasehold.jobs.ExternalStorage;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what services keep elsewhere of jobs that are gone, and what was left over of the others.
 *
 * <p>The places are looked at first, and the database is asked then: whoever keeps something of a
 * job has it from the database, where it was before.
 */
public final class RemoveElsewhere {

  private static final Logger log = LoggerFactory.getLogger(RemoveElsewhere.class);
  private static final int JOBS_AT_ONCE = 200;

  private final Transactions transactions;
  private final Set<ExternalStorage> places;

  @Inject
  RemoveElsewhere(Transactions transactions, Set<ExternalStorage> places) {
    this.transactions = transactions;
    this.places = places;
  }

  /** Whether this process has a place to look at. */
  public boolean isOn() {
    return !places.isEmpty();
  }

  /** Looks at all of it. A place that cannot be looked at stands in no other's way. */
  public void remove() {
    for (var place : places) {
      var seen = new Seen(place);
      try {
        place.visit(seen::add);
        seen.look();
      } catch (IOException e) {
        log.warn("what {} keeps of jobs cannot be looked at", place, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return; // The rest another time: the engine stops.
      }
    }
  }

  /** Jobs of one tenant that were seen, and not yet asked for. */
  private final class Seen {

    private final ExternalStorage place;
    private final Set<JobId> jobs = new HashSet<>();
    private TenantId tenant = new TenantId(new UUID(0, 0));

    private Seen(ExternalStorage place) {
      this.place = place;
    }

    private void add(TenantId its, JobId job) throws InterruptedException {
      if (!its.equals(tenant) || jobs.size() == JOBS_AT_ONCE) {
        look();
        tenant = its;
      }
      jobs.add(job);
    }

    private void look() throws InterruptedException {
      if (!jobs.isEmpty()) {
        var there = transactions.asEngine(tx -> FindThere.find(tx, tenant, jobs));
        for (var job : jobs) {
          remove(job, there.contains(job));
        }
        jobs.clear();
      }
    }

    // What cannot be removed is tried again the next time, and holds up no other.
    private void remove(JobId job, boolean isThere) throws InterruptedException {
      try {
        if (isThere) {
          place.deleteLeftOver(tenant, job);
        } else {
          place.deleteAll(tenant, job);
        }
      } catch (IOException e) {
        log.warn("what is left of job {} elsewhere cannot be removed yet", job, e);
      }
    }
  }
}
