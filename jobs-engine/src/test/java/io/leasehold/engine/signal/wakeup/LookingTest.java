package io.leasehold.engine.signal.wakeup;

import static io.leasehold.engine.signal.wakeup.Work.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.RunningEngine;
import io.leasehold.testkit.TcpProxy;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Jobs are found by looking wherever hints do not come. */
class LookingTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration SOON = Duration.ofSeconds(5);
  private static final Duration POLL = Duration.ofMillis(400);
  private static final Duration SLACK = Duration.ofSeconds(2);

  private final Work work = new Work();
  private TcpProxy proxy;

  @BeforeEach
  void noJobs() throws SQLException, IOException {
    Sessions.forgetJobs(database);
    proxy = TcpProxy.before(database.jdbcUrl());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
  }

  private RunningEngine withoutNotifications(EngineConfig config) {
    var db = RunningEngine.at(database.jdbcUrl()).notifications(false).build();
    return RunningEngine.on(db, config, work);
  }

  /** A worker that listens by way of the proxy, and does everything else past it. */
  private RunningEngine listeningThroughProxy(EngineConfig config) {
    var db = RunningEngine.at(database.jdbcUrl()).listenUrl(proxy.jdbcUrl()).build();
    var engine = RunningEngine.on(db, config, work);
    Sessions.awaitListening(database, 1);
    return engine;
  }

  private static RunningEngine submitter() {
    var db = RunningEngine.at(database.jdbcUrl()).build();
    return RunningEngine.on(db, Work.patient());
  }

  private Duration wait(RunningEngine submitter) throws InterruptedException {
    submitter.jobs().submit(CALLER, Work.shortJob());
    return work.next(System.nanoTime(), SOON);
  }

  @Test
  void findsJobsOfOtherProcessesWithinAPoll() throws Exception {
    try (var _ = withoutNotifications(Work.polling(POLL));
        var submitter = submitter()) {
      for (int i = 0; i < 5; i++) {
        assertThat(wait(submitter)).isLessThan(POLL.plus(SLACK));
      }
    }
  }

  @Test
  void needsNoSessionWithNotificationsOff() throws Exception {
    try (var worker = withoutNotifications(Work.patient())) {
      assertThat(wait(worker)).isLessThan(SOON); // its own jobs are hinted at without the server

      assertThat(Sessions.listening(database)).isZero();
    }
  }

  @Test
  void sendsNoNotificationWithNotificationsOff() throws Exception {
    try (var _ = listeningThroughProxy(Work.patient());
        var silent =
            RunningEngine.on(
                RunningEngine.at(database.jdbcUrl()).notifications(false).build(),
                Work.patient())) {
      silent.jobs().submit(CALLER, Work.shortJob());

      assertThat(work.next(System.nanoTime(), Duration.ofMillis(500)))
          .isEqualTo(Duration.ofDays(1));
    }
  }

  @Test
  void pollsAfterTheConnectionWasCut() throws Exception {
    try (var _ = listeningThroughProxy(Work.patient());
        var submitter = submitter()) {
      proxy.fallSilent(); // Notifications are lost from now on.
      submitter.jobs().submit(CALLER, Work.shortJob());

      proxy.cutAll();
      proxy.speakAgain();

      assertThat(work.next(System.nanoTime(), SOON)).isLessThan(SOON);
      assertThat(wait(submitter)).isLessThan(SOON);
    }
  }

  @Test
  void findsJobsWhileTheConnectionIsSilent() throws Exception {
    try (var _ = listeningThroughProxy(Work.polling(POLL));
        var submitter = submitter()) {
      proxy.fallSilent();

      for (int i = 0; i < 5; i++) {
        assertThat(wait(submitter)).isLessThan(POLL.plus(SLACK));
      }
    }
  }

  @Test
  void receivesNotificationsAgainAfterSilence() throws Exception {
    try (var _ = listeningThroughProxy(Work.patient());
        var submitter = submitter()) {
      var before = proxy.connections();
      proxy.fallSilent();
      await().until(() -> proxy.connections() > before); // It has noticed, and tries to connect.
      proxy.speakAgain();
      submitter.jobs().submit(CALLER, Work.shortJob());

      assertThat(work.next(System.nanoTime(), Duration.ofSeconds(10))).isLessThan(SOON.plus(SOON));
      assertThat(wait(submitter)).isLessThan(SOON);
    }
  }
}
