package io.leasehold.engine.work.outputs;

import io.leasehold.db.Transactions;
import io.leasehold.engine.work.outputs.files.FileNames;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.outputs.OutputStore;
import jakarta.inject.Inject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Removes files that no output names any more: files of deleted jobs, files of failed or overtaken
 * attempts, and replaced files.
 *
 * <p>The files are listed first, and one database snapshot is queried afterwards. Files of a
 * running attempt have the token of its lease in their names, and its outputs have rows before the
 * lease ends. No time limit for writing is therefore needed.
 */
public final class SweepOutputs {

  private static final Logger log = LoggerFactory.getLogger(SweepOutputs.class);
  private static final int JOBS_AT_ONCE = 200;

  private final Transactions transactions;
  private final OutputTerms terms;

  @Inject
  SweepOutputs(Transactions transactions, OutputTerms terms) {
    this.transactions = transactions;
    this.terms = terms;
  }

  /** Whether this process has a store to sweep. */
  public boolean isOn() {
    return terms.store().isPresent();
  }

  /** Sweeps the whole store. */
  public void sweep() {
    var store = terms.requireStore();
    var seen = new Seen(store);
    try {
      store.visit(seen::add);
      seen.look();
    } catch (IOException e) {
      throw new UncheckedIOException("files of jobs cannot be looked at", e);
    }
  }

  /** Jobs of one tenant that were listed but not yet looked up in the database. */
  private final class Seen {

    private final OutputStore store;
    private final Map<JobId, Set<String>> files = new HashMap<>();
    private TenantId tenant = new TenantId(new UUID(0, 0));

    private Seen(OutputStore store) {
      this.store = store;
    }

    private void add(TenantId owner, JobId job, List<String> all) {
      if (!owner.equals(tenant) || files.size() == JOBS_AT_ONCE) {
        look();
        tenant = owner;
      }
      files.put(job, all.stream().filter(FileNames::isOurs).collect(Collectors.toSet()));
    }

    private void look() {
      if (!files.isEmpty()) {
        var known = transactions.asEngine(tx -> FindKnown.find(tx, tenant, files.keySet()));
        for (var job : files.entrySet()) {
          var knownOfJob = known.get(job.getKey());
          job.getValue().removeIf(file -> knownOfJob != null && knownOfJob.counts(file));
          if (!job.getValue().isEmpty() || knownOfJob == null) {
            remove(job.getKey(), job.getValue());
          }
        }
        files.clear();
      }
    }

    // A failed removal is tried again next time, and does not block other jobs.
    private void remove(JobId job, Set<String> unknown) {
      try {
        store.remove(tenant, job, unknown);
      } catch (IOException e) {
        log.warn("files of job {} cannot be removed yet", job, e);
      }
    }
  }
}
