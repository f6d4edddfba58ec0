package io.leasehold.engine.work.attempt;

import io.leasehold.db.Transactions;
import io.leasehold.engine.kernel.WorkerId;
import io.leasehold.engine.work.events.EventBuffer;
import io.leasehold.engine.work.events.Pace;
import io.leasehold.engine.work.events.Writes;
import io.leasehold.engine.work.outputs.OutputTerms;
import io.leasehold.engine.work.steps.Holder;
import io.leasehold.jobs.SecurityContext;
import jakarta.inject.Inject;

/** Creates the journals of attempts. Thread-safe. */
final class Journals {

  private final Transactions transactions;
  private final WorkerId worker;
  private final Writes writes;
  private final Pace pace;
  private final OutputTerms outputs;

  @Inject
  Journals(
      Transactions transactions, WorkerId worker, Writes writes, Pace pace, OutputTerms outputs) {
    this.transactions = transactions;
    this.worker = worker;
    this.writes = writes;
    this.pace = pace;
    this.outputs = outputs;
  }

  FencedJournal of(RunningJob held, SecurityContext caller) {
    var holder = new Holder(transactions, worker, held.job(), caller);
    var journal = new FencedJournal(held, holder, new EventBuffer(holder, writes, pace), outputs);
    held.writesInto(journal);
    return journal;
  }
}
