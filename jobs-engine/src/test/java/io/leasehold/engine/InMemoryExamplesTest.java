package io.leasehold.engine;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import io.leasehold.db.Transactions;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.testkit.TestDatabase;
import java.awt.image.BufferedImage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide/in-memory-jobs.md and docs/guide/direct-mode.md. */
class InMemoryExamplesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private final List<String> shown = new ArrayList<>();

  static final class Thumbnail implements JobHandler<BufferedImage, BufferedImage> {

    static final JobType<BufferedImage, BufferedImage> TYPE =
        JobType.inMemory(
                "gts.x.core.jobs.handler.v1~acme.media.pictures.thumbnail.v1",
                BufferedImage.class,
                BufferedImage.class)
            .capacity(200)
            .timeout(Duration.ofSeconds(30))
            .retry(RetryPolicy.exponential(3));

    @Override
    public BufferedImage run(JobContext job, BufferedImage picture) {
      job.progress(50, "scaling");
      return picture.getSubimage(0, 0, 1, 1);
    }
  }

  static final class Pictures extends AbstractModule {
    @Override
    protected void configure() {
      handlerBinder(binder()).handle(Thumbnail.TYPE).with(Thumbnail.class);
    }
  }

  private void show(String words) {
    shown.add(words);
  }

  @Test
  void showsHowJobsInMemoryAreUsed() {
    var config =
        EngineConfig.defaults()
            .memoryConcurrency(8)
            .memoryCapacity(1_000)
            .memoryKept(Duration.ofMinutes(1));
    var picture = new BufferedImage(9, 9, BufferedImage.TYPE_INT_RGB);
    try (var engine = RunningEngine.on(database, config, new Pictures())) {
      var jobs = engine.jobs();

      JobId id = submitOrSay(jobs, picture);

      var job = jobs.await(caller, id, Duration.ofSeconds(30)).orElseThrow();
      if (jobs.result(caller, id, BufferedImage.class)
          instanceof JobResult.Succeeded<BufferedImage>(var thumbnail)) {
        show(thumbnail.getWidth() + " wide");
      }
      assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(shown).containsExactly("1 wide");
      afterTheOrder(engine.transactions(), jobs, picture);
    }
  }

  private JobId submitOrSay(JobService jobs, BufferedImage picture) {
    try {
      return jobs.submit(caller, Thumbnail.TYPE.request(picture)).jobId();
    } catch (JobsException e) {
      if (e.code() == ErrorCode.MEMORY_FULL) {
        show("busy: " + e.limit().orElseThrow().seen() + " wait or run");
      }
      throw e;
    }
  }

  private void afterTheOrder(Transactions transactions, JobService jobs, BufferedImage picture) {
    var id =
        transactions.asTenant(
            caller,
            tx -> {
              show("the order is stored");
              return jobs.submit(tx, Thumbnail.TYPE.request(picture).key("order 7")).jobId();
            });
    assertThat(jobs.await(caller, id, Duration.ofSeconds(30)).orElseThrow().status())
        .isEqualTo(JobStatus.SUCCEEDED);
  }

  @Test
  void showsHowJobsRunWhereTheyAreSubmitted() {
    var config = EngineConfig.defaults().mode(EngineConfig.Mode.DIRECT).directConcurrency(1);
    var work = Handlers.type("direct");
    var handlers =
        new Handlers()
            .with(
                work,
                (job, input) -> {
                  while (true) {
                    job.throwIfCancelled();
                    Thread.onSpinWait();
                  }
                });
    try (var engine = RunningEngine.on(database, config, handlers)) {
      var jobs = engine.jobs();
      var id = jobs.submit(caller, work.request("runs at once")).jobId();

      try {
        jobs.submit(caller, work.request("finds no room"));
      } catch (JobsException e) {
        if (e.code() == ErrorCode.DIRECT_FULL) {
          show("busy: " + e.limit().orElseThrow().most() + " run already");
        }
      }

      assertThat(shown).containsExactly("busy: 1 run already");
      jobs.cancel(caller, id);
    }
  }
}
