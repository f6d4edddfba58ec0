package io.leasehold.engine.inmemory;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.db.TransactionOptions;
import io.leasehold.db.Transactions;
import io.leasehold.engine.inmemory.direct.DirectJobs;
import io.leasehold.engine.kernel.IdOrder;
import io.leasehold.engine.service.query.Pages;
import io.leasehold.engine.service.submit.AdmitRequest;
import io.leasehold.engine.service.submit.TransactionalJobService;
import io.leasehold.jobs.Cancellation;
import io.leasehold.jobs.Deletion;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobKind;
import io.leasehold.jobs.JobPage;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.RetryOutcome;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.Submission;
import io.leasehold.jobs.TenantTransaction;
import io.leasehold.jobs.history.DependencyPage;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.Explanation;
import io.leasehold.jobs.history.JobTask;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.stream.Stream;

/**
 * All jobs of the caller's tenant: the in-memory jobs of this process, unless the call excludes
 * them, followed by the stored jobs. Of the stored jobs, this process runs some itself at once, and
 * others wait for workers.
 */
public final class EngineJobService implements JobService {

  private static final int PAGE_MAX = 1_000;
  private static final TransactionOptions ONE_STATEMENT =
      TransactionOptions.defaults().asOneStatement();
  private static final Comparator<Job> NEWEST_FIRST =
      Comparator.comparing((Job job) -> job.id().value(), IdOrder.UNSIGNED).reversed();

  private final Transactions transactions;
  private final AdmitRequest requests;
  private final TransactionalJobService stored;
  private final DirectJobs direct;
  private final MemoryJobs memory;
  private final MemoryReads reads;
  private final boolean looksInMemory;

  @Inject
  EngineJobService(
      Transactions transactions,
      AdmitRequest requests,
      TransactionalJobService stored,
      DirectJobs direct,
      MemoryJobs memory,
      MemoryReads reads) {
    this.transactions = transactions;
    this.requests = requests;
    this.stored = stored;
    this.direct = direct;
    this.memory = memory;
    this.reads = reads;
    this.looksInMemory = true;
  }

  private EngineJobService(EngineJobService service) {
    this.transactions = service.transactions;
    this.requests = service.requests;
    this.stored = service.stored;
    this.direct = service.direct;
    this.memory = service.memory;
    this.reads = service.reads;
    this.looksInMemory = false;
  }

  @Override
  public JobService restartable() {
    return looksInMemory ? new EngineJobService(this) : this;
  }

  private boolean isInMemory(JobRequest<?, ?> request) {
    var isIt = request.type().kind() == JobKind.IN_MEMORY;
    if (isIt && !looksInMemory) {
      throw new IllegalArgumentException(
          "jobs of %s live in memory, and this takes restartable ones alone"
              .formatted(request.type().handler()));
    }
    return isIt;
  }

  private <T> Optional<T> here(Supplier<Optional<T>> look) {
    return looksInMemory ? look.get() : Optional.empty();
  }

  @Override
  public Submission submit(SecurityContext caller, JobRequest<?, ?> request) {
    var admitted = requests.admit(caller, request);
    if (!waits(admitted)) {
      return isInMemory(admitted)
          ? memory.submit(caller, admitted)
          : direct.submit(caller, admitted);
    }
    var options = admitted.mirror().isEmpty() ? ONE_STATEMENT : TransactionOptions.defaults();
    return transactions.asTenant(caller, options, tx -> stored.submit(tx, admitted));
  }

  @Override
  public Submission submit(TenantTransaction tx, JobRequest<?, ?> request) {
    // This check comes before the transaction is used, which can continue if the request is
    // refused.
    var admitted = requests.admit(tx.caller(), request);
    return waits(admitted)
        ? transactions.within(tx, scoped -> stored.submit(scoped, admitted))
        : submitHere(tx, admitted);
  }

  private boolean waits(JobRequest<?, ?> request) {
    return !isInMemory(request) && !direct.takes(request);
  }

  private Submission submitHere(TenantTransaction tx, JobRequest<?, ?> request) {
    return isInMemory(request) ? memory.submit(tx, request) : direct.submit(tx, request);
  }

  @Override
  public List<Submission> submitAll(
      SecurityContext caller, Iterator<? extends JobRequest<?, ?>> requests) {
    return transactions.asTenant(caller, tx -> submitEach(tx, requests));
  }

  @Override
  public List<Submission> submitAll(
      TenantTransaction tx, Iterator<? extends JobRequest<?, ?>> requests) {
    return transactions.within(tx, scoped -> submitEach(scoped, requests));
  }

  private List<Submission> submitEach(
      ScopedTransaction tx, Iterator<? extends JobRequest<?, ?>> requests) {
    var submissions = new ArrayList<Submission>();
    while (requests.hasNext()) {
      submissions.addAll(submitSome(tx, this.requests.admitSome(tx.caller(), requests)));
    }
    return submissions;
  }

  private List<Submission> submitSome(ScopedTransaction tx, List<JobRequest<?, ?>> requests) {
    var waiting = requests.stream().filter(this::waits).toList();
    var answers = stored.submitAll(tx, waiting).iterator();
    return requests.stream()
        .map(request -> waits(request) ? answers.next() : submitHere(tx, request))
        .toList();
  }

  @Override
  public Optional<Job> find(SecurityContext caller, JobId id) {
    return here(() -> reads.find(caller, id)).or(() -> stored.find(caller, id));
  }

  /** An in-memory job never waits for other jobs. */
  @Override
  public Optional<DependencyPage> dependencies(
      SecurityContext caller, JobId id, Optional<JobId> after, int limit) {
    Pages.requireLimit(limit, PAGE_MAX);
    return here(() -> reads.find(caller, id))
        .map(_ -> new DependencyPage(List.of(), Optional.empty()))
        .or(() -> stored.dependencies(caller, id, after, limit));
  }

  @Override
  public JobPage list(SecurityContext caller, JobFilter filter) {
    var page = stored.list(caller, filter);
    var inMemory = looksInMemory ? reads.list(caller, filter) : List.<Job>of();
    if (inMemory.isEmpty()) {
      return page;
    }
    var all = Stream.concat(inMemory.stream(), page.jobs().stream()).sorted(NEWEST_FIRST).toList();
    return Pages.first(all, filter.limit(), Job::id, JobPage::new);
  }

  @Override
  public <O> JobResult<O> result(SecurityContext caller, JobId id, Class<O> output) {
    return here(() -> reads.result(caller, id, output))
        .orElseGet(() -> stored.result(caller, id, output));
  }

  @Override
  public <T> Optional<T> metadata(SecurityContext caller, JobId id, String name, Class<T> type) {
    return here(() -> reads.metadata(caller, id))
        .map(metadata -> metadata.value(name, type))
        .orElseGet(() -> stored.metadata(caller, id, name, type));
  }

  @Override
  public Optional<EventPage> events(
      SecurityContext caller, JobId id, EventCursor after, int limit) {
    Pages.requireLimit(limit, PAGE_MAX);
    return here(() -> reads.events(caller, id, after, limit))
        .or(() -> stored.events(caller, id, after, limit));
  }

  @Override
  public Optional<List<JobTask>> tasks(SecurityContext caller, JobId id) {
    return here(() -> reads.tasks(caller, id)).or(() -> stored.tasks(caller, id));
  }

  @Override
  public Optional<Job> await(SecurityContext caller, JobId id, Duration most) {
    return here(() -> reads.await(caller, id, most)).or(() -> stored.await(caller, id, most));
  }

  @Override
  public Optional<Explanation> explain(SecurityContext caller, JobId id) {
    return here(() -> reads.explain(caller, id)).or(() -> stored.explain(caller, id));
  }

  @Override
  public Cancellation cancel(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, ONE_STATEMENT, tx -> cancelIn(tx, id));
  }

  @Override
  public Cancellation cancel(TenantTransaction tx, JobId id) {
    return transactions.within(tx, scoped -> cancelIn(scoped, id));
  }

  private Cancellation cancelIn(ScopedTransaction tx, JobId id) {
    return inMemory(tx, id, memory::cancel).orElseGet(() -> stored.cancel(tx, id));
  }

  @Override
  public RetryOutcome retry(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, tx -> retryIn(tx, id));
  }

  @Override
  public RetryOutcome retry(TenantTransaction tx, JobId id) {
    return transactions.within(tx, scoped -> retryIn(scoped, id));
  }

  private RetryOutcome retryIn(ScopedTransaction tx, JobId id) {
    return inMemory(tx, id, memory::retry).orElseGet(() -> stored.retry(tx, id));
  }

  @Override
  public Deletion delete(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, tx -> deleteIn(tx, id));
  }

  @Override
  public Deletion delete(TenantTransaction tx, JobId id) {
    return transactions.within(tx, scoped -> deleteIn(scoped, id));
  }

  private Deletion deleteIn(ScopedTransaction tx, JobId id) {
    return inMemory(tx, id, memory::delete).orElseGet(() -> stored.delete(tx, id));
  }

  @Override
  public Deletion forceDelete(SecurityContext caller, JobId id) {
    return transactions.asTenant(caller, tx -> forceDeleteIn(tx, id));
  }

  @Override
  public Deletion forceDelete(TenantTransaction tx, JobId id) {
    return transactions.within(tx, scoped -> forceDeleteIn(scoped, id));
  }

  private Deletion forceDeleteIn(ScopedTransaction tx, JobId id) {
    return inMemory(tx, id, memory::forceDelete).orElseGet(() -> stored.forceDelete(tx, id));
  }

  private <T> Optional<T> inMemory(
      ScopedTransaction tx, JobId id, BiFunction<ScopedTransaction, MemoryJob, T> work) {
    return here(() -> memory.own(tx.caller(), id)).map(job -> work.apply(tx, job));
  }
}
