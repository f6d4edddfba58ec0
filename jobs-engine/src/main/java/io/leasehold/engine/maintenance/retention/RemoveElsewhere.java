package io.leasehold.engine.maintenance.retention;

import io.leasehold.db.Transactions;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.ExternalStorage;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes what services store outside the database for jobs that are gone, and leftovers of other
 * jobs.
 *
 * <p>Each storage is listed before the database is queried. A service stores data only for a job
 * that it got from the database, so a listed job was in the database earlier.
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

  /** Whether this process has external storage to check. */
  public boolean isOn() {
    return !places.isEmpty();
  }

  /** Checks all storage. A storage that cannot be read does not block the others. */
  public void remove() {
    for (var place : places) {
      var seen = new Seen(place);
      try {
        place.visit(seen::add);
        seen.look();
      } catch (IOException e) {
        log.warn("the job data in {} could not be listed", place, e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return; // The engine is stopping; the rest is done by a later run.
      }
    }
  }

  /** Jobs of one tenant that were listed but not yet looked up in the database. */
  private final class Seen {

    private final ExternalStorage place;
    private final Set<JobId> jobs = new HashSet<>();
    private TenantId tenant = new TenantId(new UUID(0, 0));

    private Seen(ExternalStorage place) {
      this.place = place;
    }

    private void add(TenantId owner, JobId job) throws InterruptedException {
      if (!owner.equals(tenant) || jobs.size() == JOBS_AT_ONCE) {
        look();
        tenant = owner;
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

    // A failed removal is tried again next time, and does not block other jobs.
    private void remove(JobId job, boolean isThere) throws InterruptedException {
      try {
        if (isThere) {
          place.deleteLeftOver(tenant, job);
        } else {
          place.deleteAll(tenant, job);
        }
      } catch (IOException e) {
        log.warn("external data of job {} could not be removed yet", job, e);
      }
    }
  }
}
