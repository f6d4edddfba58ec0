package io.leasehold.engine.work.finish;

import static io.leasehold.db.schema.Tables.LEASE;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.HeldLease;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.work.lease.ParkJobs;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobsException;
import jakarta.inject.Inject;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jooq.DSLContext;

/** Writes a batch of endings in one transaction, with one statement per kind of ending. */
public final class WriteEndings {

  private static final TransactionOptions ONE = TransactionOptions.defaults().asOneStatement();

  private final Transactions transactions;
  private final WorkerId worker;
  private final NotifyOfEnds notify;

  @Inject
  WriteEndings(Transactions transactions, WorkerId worker, NotifyOfEnds notify) {
    this.transactions = transactions;
    this.worker = worker;
    this.notify = notify;
  }

  /**
   * Returns the jobs whose endings are now in the database; the leases of the others are lost. The
   * call may be repeated if its answer was lost.
   */
  public Set<JobId> write(Collection<Ending> endings) {
    List<Ending.Last> last = new ArrayList<>();
    List<Ending.Again> again = new ArrayList<>();
    List<Ending.Later> later = new ArrayList<>();
    for (var ending : endings) {
      switch (ending) {
        case Ending.Last ended -> last.add(ended);
        case Ending.Removed removed -> last.add(removed.asLast());
        case Ending.Again retried -> again.add(retried);
        case Ending.Later postponed -> later.add(postponed);
      }
    }
    var written =
        again.isEmpty() && later.isEmpty()
            ? ended(last)
            : transactions.asEngine(tx -> each(tx, last, again, later));
    notify.attemptsEnded(written);
    if (!last.isEmpty()) {
      notify.jobsEnded();
    }
    return written;
  }

  private Set<JobId> ended(List<Ending.Last> endings) {
    Set<JobId> written =
        new HashSet<>(transactions.asEngine(ONE, tx -> EndJobs.end(tx, worker, endings)));
    if (written.size() < endings.size()) {
      written.addAll(transactions.asEngine(ONE, tx -> FindEnded.find(tx, leases(endings))));
    }
    return written;
  }

  // All or nothing, because a job that was put aside cannot be found by its token afterwards.
  private Set<JobId> each(
      DSLContext tx, List<Ending.Last> last, List<Ending.Again> again, List<Ending.Later> later) {
    Set<JobId> written = new HashSet<>();
    if (!last.isEmpty()) {
      written.addAll(EndJobs.end(tx, worker, last));
    }
    if (!again.isEmpty()) {
      written.addAll(RetryJobs.retry(tx, worker, again));
    }
    for (var putOff : later) {
      written.addAll(park(tx, putOff));
    }
    if (written.size() < last.size() + again.size() + later.size()) {
      written.addAll(FindEnded.find(tx, leases(last)));
      written.addAll(FindEnded.find(tx, leases(again)));
    }
    return written;
  }

  // A lease that another statement holds, such as a renewal, is skipped. It is not lost, and the
  // write is tried again.
  private Set<JobId> park(DSLContext tx, Ending.Later ending) {
    var parked = ParkJobs.park(tx, worker, leases(List.of(ending)), ending.delay(), ending.why());
    if (parked.isEmpty() && isHeld(tx, ending)) {
      throw new JobsException(
          ErrorCode.LOCK_TIMEOUT,
          "another statement holds the lease of job %s".formatted(ending.id()));
    }
    return parked;
  }

  private boolean isHeld(DSLContext tx, Ending ending) {
    return tx.fetchExists(
        LEASE,
        LEASE
            .ID
            .eq(ending.id())
            .and(LEASE.WORKER_ID.eq(worker.value()))
            .and(LEASE.TOKEN.eq(ending.token())));
  }

  private static List<HeldLease> leases(Collection<? extends Ending> endings) {
    return endings.stream().map(Ending::lease).toList();
  }
}
