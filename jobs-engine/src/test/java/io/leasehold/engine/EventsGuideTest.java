package io.leasehold.engine;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.JobEvent;
import io.leasehold.jobs.history.JobWatch;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of docs/guide/events.md. */
class EventsGuideTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private final List<String> shown = new CopyOnWriteArrayList<>();

  record Source(List<String> files) {}

  static final class Build implements JobHandler<Source, String> {

    static final JobType<Source, String> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.builds.sources.build.v1",
                Source.class,
                String.class)
            .queue("builds");

    @Override
    public String run(JobContext job, Source source) {
      var built = 0;
      for (var file : source.files()) {
        job.event("log", Map.of("text", "compiling " + file));
        built++;
        job.progress(100 * built / source.files().size(), file);
      }
      return "built";
    }
  }

  static final class BuildsModule extends AbstractModule {
    @Override
    protected void configure() {
      handlerBinder(binder()).handle(Build.TYPE).with(Build.class);
    }
  }

  @Test
  void aReaderFollows() {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), new BuildsModule())) {
      var source = new Source(List.of("a.c", "b.c"));
      var id = engine.jobs().submit(CALLER, Build.TYPE.request(source)).jobId();

      follow(engine.jobs(), CALLER, id);

      assertThat(shown)
          .startsWith("queued {}", "started {}", "log {\"text\":\"compiling a.c\"}")
          .contains(
              "log {\"text\":\"compiling b.c\"}", "progress {\"percent\":100,\"note\":\"b.c\"}")
          .endsWith("succeeded {}");
    }
  }

  private void follow(JobService jobs, SecurityContext caller, JobId id) {
    var cursor = EventCursor.BEGIN;
    while (true) {
      var page = jobs.events(caller, id, cursor, 100).orElseThrow();
      page.events().forEach(this::show);
      cursor = page.next();
      if (page.isOver()) {
        return;
      }
      if (page.events().isEmpty()) {
        jobs.await(caller, id, Duration.ofMillis(200));
      }
    }
  }

  @Test
  void aReaderIsCalled() throws InterruptedException {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), new BuildsModule())) {
      var source = new Source(List.of("a.c", "b.c"));
      var id = engine.jobs().submit(CALLER, Build.TYPE.request(source)).jobId();

      follow(engine.jobs(), engine.watch(), CALLER, id);

      assertThat(shown).startsWith("queued {}", "started {}").endsWith("succeeded {}");
    }
  }

  private void follow(JobService jobs, JobWatch jobWatch, SecurityContext caller, JobId id)
      throws InterruptedException {
    var cursor = EventCursor.BEGIN;
    var news = new Semaphore(1); // The first look needs no cause.
    try (var _ = jobWatch.watch(caller, id, news::release)) {
      while (true) {
        news.acquire();
        var page = jobs.events(caller, id, cursor, 100).orElseThrow();
        page.events().forEach(this::show);
        cursor = page.next();
        if (page.isOver()) {
          return;
        }
        if (!page.events().isEmpty()) {
          news.release(); // There may be more.
        }
      }
    }
  }

  private void show(JobEvent event) {
    shown.add(event.kind() + " " + event.body());
  }

  @Test
  void aCallerWaits() {
    try (var engine = RunningEngine.on(database, EngineConfig.defaults(), new BuildsModule())) {
      var jobs = engine.jobs();
      var caller = CALLER;
      var id = jobs.submit(caller, Build.TYPE.request(new Source(List.of("a.c")))).jobId();

      var job = jobs.await(caller, id, Duration.ofSeconds(30)).orElseThrow();
      if (job.status().isFinal()) {
        shown.add(job.status().word());
      }

      assertThat(shown).containsExactly("succeeded");
    }
  }
}
