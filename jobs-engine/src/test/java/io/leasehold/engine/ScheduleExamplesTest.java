package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The examples of {@code docs/guide/schedules.md}, and schedules in an engine that works. */
class ScheduleExamplesTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final JobType<String, String> REPORT = Handlers.type("reports");
  private static final Duration MOST = Duration.ofSeconds(60);

  private final SecurityContext caller =
      SecurityContext.of("ann", new TenantId(UUID.randomUUID())).build();
  private final List<String> slots = new CopyOnWriteArrayList<>();
  private final List<String> shown = new CopyOnWriteArrayList<>();
  private final RunningEngine engine =
      RunningEngine.on(
          database,
          EngineConfig.defaults(),
          new Handlers()
              .with(
                  REPORT,
                  (job, input) -> {
                    slots.add(job.metadata().get(ScheduleRequest.SLOT));
                    var slot = Instant.parse(job.metadata().get(ScheduleRequest.SLOT));
                    var report = "the report of " + slot.atZone(ZoneOffset.UTC).toLocalDate();
                    return report;
                  }));
  private final Schedules schedules = engine.schedules();

  @AfterEach
  void close() {
    engine.close();
  }

  private void show(String text) {
    shown.add(text);
  }

  @Test
  void putsASchedule() {
    schedules.put(
        caller,
        ScheduleRequest.of("monthly", "30 2 1 * *", REPORT.request("all customers"))
            .zone(ZoneId.of("Europe/Berlin"))
            .jitter(Duration.ofMinutes(10)));

    assertThat(schedules.next(caller, "monthly", 12))
        .hasSize(12)
        .allMatch(it -> it.atZone(ZoneId.of("Europe/Berlin")).getDayOfMonth() == 1);
  }

  @Test
  void submitsAJobForEachSlot() {
    schedules.put(caller, ScheduleRequest.of("nightly", "* * * * * *", REPORT.request("x")));
    await().atMost(MOST).until(() -> slots.size() >= 3);
    schedules.remove(caller, "nightly");

    var jobs = engine.jobs().list(caller, JobFilter.newest().correlationId("schedule:nightly"));

    assertThat(slots).doesNotHaveDuplicates();
    assertThat(jobs.jobs()).hasSizeGreaterThanOrEqualTo(3);
    await()
        .atMost(MOST)
        .until(
            () ->
                engine
                    .jobs()
                    .find(caller, jobs.jobs().getLast().id())
                    .filter(job -> job.status() == JobStatus.SUCCEEDED)
                    .isPresent());
  }

  @Test
  void showsASchedule() {
    schedules.put(caller, ScheduleRequest.of("nightly", "@yearly", REPORT.request("x")));
    showIt();
    schedules.pause(caller, "nightly");
    showIt();

    assertThat(shown.get(0)).startsWith("next at 2");
    assertThat(shown.get(1)).isEqualTo("3 more slots");
    assertThat(shown.subList(2, 4)).containsExactly("paused by ann", "0 more slots");
  }

  private void showIt() {
    var schedule = schedules.find(caller, "nightly").orElseThrow();
    switch (schedule.state()) {
      case ACTIVE -> show("next at " + schedule.nextAt().orElseThrow());
      case PAUSED -> show("paused by " + schedule.pause().orElseThrow().by());
      case ASIDE -> show("cannot be fired: " + schedule.fault().orElseThrow().error());
      case OVER -> show("has no slot left");
    }
    show(schedules.next(caller, "nightly", 3).size() + " more slots");
  }
}
