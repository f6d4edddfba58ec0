package io.leasehold.rest.isolation;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.batches.BatchId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.rest.stack.Works;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.stream.Stream;

/** A tenant whose every word has its canary. Safe to share between threads. */
final class Tenant {

  /** Calls ask for one of this number of its last jobs. */
  private static final int LATEST = 40;

  private final TenantId id;
  private final String canary;
  private final RestStack stack;
  private final ApiClient client;
  private final Marks marks;
  private final JobId kept;
  private final JobId waiting;
  private final JobId planned;
  private final BatchId batch;

  /** Guarded by itself. */
  private final List<String> jobs = new ArrayList<>();

  /** The page of its list that it saw last, and where that went on. */
  private volatile String nextPage = "/api/v1/jobs?limit=2";

  Tenant(Random random, RestStack stack, Marks marks) {
    this.id = new TenantId(new UUID(random.nextLong(), random.nextLong()));
    this.canary = "canary" + HexFormat.of().toHexDigits(random.nextLong());
    this.stack = stack;
    this.marks = marks;
    var claims = stack.issuer().claims(id, RestStack.ADMIN);
    claims.put("sub", canary);
    this.client = stack.client().token(stack.issuer().signed(claims));
    marks.add(id, canary);
    marks.add(id, id.toString());
    this.kept = submit(Trick.SUCCEEDS, Duration.ofHours(1));
    stack.schedules().put(SecurityContext.of(canary, id).build(), schedule());
    this.waiting = stack.jobs().submit(caller(), Works.TYPE.request("").after(kept)).jobId();
    this.planned = submit(Trick.TELLS, Duration.ZERO);
    this.batch = stack.batch(id, Trick.SUCCEEDS.of(canary));
    marks.add(id, waiting.toString());
    marks.add(id, batch.toString());
  }

  /** Goes by its canary, and is due again and again. */
  private ScheduleRequest schedule() {
    var job = Works.TYPE.request(stack.works().of(canary + " due", Trick.SUCCEEDS.of(canary)));
    return ScheduleRequest.of(canary, "*/2 * * * * *", job.metadata(canary, canary));
  }

  TenantId id() {
    return id;
  }

  String canary() {
    return canary;
  }

  ApiClient client() {
    return client;
  }

  /** A job that waits, and that only others try to end. */
  JobId kept() {
    return kept;
  }

  /** One that waits for that. */
  JobId waiting() {
    return waiting;
  }

  /** A job that has tasks, and that no call tries to end. */
  JobId planned() {
    return planned;
  }

  BatchId batch() {
    return batch;
  }

  /** Whether a text has a word that only this tenant may see. */
  boolean isIn(String text) {
    return Stream.of(canary, kept.toString(), batch.toString()).anyMatch(text::contains);
  }

  String submit(Trick trick) {
    var job = submit(trick, Duration.ZERO).toString();
    synchronized (jobs) {
      jobs.add(job);
    }
    return job;
  }

  private JobId submit(Trick trick, Duration delay) {
    var request =
        Works.TYPE
            .request(stack.works().of(canary + " " + trick, trick.of(canary)))
            .key(canary + UUID.randomUUID())
            .metadata(canary, canary)
            .delay(delay);
    var job = stack.jobs().submit(caller(), request).jobId();
    marks.add(id, job.toString());
    return job;
  }

  private SecurityContext caller() {
    return SecurityContext.of(canary, id).correlationId(canary).build();
  }

  String anyJob(Random random) {
    synchronized (jobs) {
      return jobs.get(jobs.size() - 1 - random.nextInt(Math.min(LATEST, jobs.size())));
    }
  }

  String nextPage() {
    return nextPage;
  }

  void nextPage(String path) {
    nextPage = path;
  }
}
