package io.leasehold.rest.jobs;

import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobService;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.JsonBody;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.http.Restartable;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import io.leasehold.rest.stream.AwaitJob;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Shows a job's current state; or, with {@code wait}, its state once it has finished or differs
 * from the known version.
 */
public final class ShowJob implements Resource {

  private static final Pattern SECONDS = Pattern.compile("[0-9]{1,6}s");
  private static final String RULE = "wait must be a number of seconds, like 30s";
  private static final int OK = 200;
  private static final int NOT_MODIFIED = 304;

  private final JobService jobs;
  private final AwaitJob await;
  private final Duration waitMost;

  @Inject
  ShowJob(@Restartable JobService jobs, AwaitJob await, RestLimits limits) {
    this.jobs = jobs;
    this.await = await;
    this.waitMost = limits.waitMost();
  }

  @Override
  public void answer(Exchange exchange) throws IOException, InterruptedException {
    var known = KnownTags.in(exchange.headers("If-None-Match"));
    var job = find(exchange, known).orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
    var json = JsonBody.bytes(JobView.of(job));
    var tag = KnownTags.tagOf(json);
    exchange.header("ETag", tag);
    if (known.has(tag)) {
      exchange.nothing(NOT_MODIFIED);
    } else {
      exchange.bytes(OK, exchange.mediaType(), json);
    }
  }

  private Optional<Job> find(Exchange exchange, KnownTags known) throws InterruptedException {
    var wait = exchange.query().read("wait", ShowJob::seconds, RULE).orElse(Duration.ZERO);
    var most = wait.compareTo(waitMost) < 0 ? wait : waitMost;
    return most.isZero()
        ? jobs.find(exchange.caller(), exchange.job())
        : await.await(exchange, most, job -> job.status().isFinal() || isNews(job, known));
  }

  private static boolean isNews(Job job, KnownTags known) {
    return !known.isEmpty() && !known.has(KnownTags.tagOf(JsonBody.bytes(JobView.of(job))));
  }

  private static Duration seconds(String text) {
    if (!SECONDS.matcher(text).matches()) {
      throw new IllegalArgumentException(RULE);
    }
    return Duration.ofSeconds(Long.parseLong(text.substring(0, text.length() - 1)));
  }
}
