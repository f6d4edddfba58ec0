package io.leasehold.proofs.stress;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.proofs.stress.Effects.EFFECTS;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Handlers that work until a file is there. One that is interrupted instead prints when, and tries
 * to write all the same.
 */
final class WatchfulJobs extends AbstractModule {

  static final JobType<String, String> PLAIN = type("watchful_plain");
  static final JobType<String, String> TRANSACTIONAL = type("watchful_transactional");

  private static final Duration STEP = Duration.ofMillis(5);

  private static JobType<String, String> type(String name) {
    return JobType.restartable(
            "gts.x.core.jobs.handler.v1~acme.stress.jobs.%s.v1".formatted(name),
            String.class,
            String.class)
        .queue("watchful");
  }

  @Override
  protected void configure() {
    handlerBinder(binder()).handle(PLAIN).with(WatchfulJobs::watch);
    handlerBinder(binder())
        .handle(TRANSACTIONAL)
        .inTransaction(
            (tx, job, file) -> {
              EFFECTS.leave(tx, job, "transactional");
              return watch(job, file);
            });
  }

  private static String watch(JobContext job, String file) {
    System.out.println("begun " + job.id());
    try {
      while (!Files.exists(Path.of(file))) {
        Thread.sleep(STEP);
      }
      return "done";
    } catch (InterruptedException e) {
      tell(job, System.currentTimeMillis());
      return "done all the same";
    }
  }

  private static void tell(JobContext job, long at) {
    var refused = 0;
    refused += isRefused(() -> job.progress(99, "stale")) ? 1 : 0;
    refused += isRefused(() -> job.event("stale", "stale")) ? 1 : 0;
    System.out.printf("interrupted %s %d %d%n", job.id(), at, refused);
  }

  private static boolean isRefused(Runnable write) {
    try {
      write.run();
      return false;
    } catch (JobsException e) {
      return true;
    }
  }
}
