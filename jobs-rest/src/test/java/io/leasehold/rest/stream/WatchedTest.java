package io.leasehold.rest.stream;

import static io.leasehold.rest.stack.RestStack.ACME;
import static io.leasehold.rest.stack.RestStack.GLOBEX;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.google.inject.Guice;
import com.google.inject.multibindings.Multibinder;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Notifications;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDbModule;
import io.leasehold.db.TableDeclaration;
import io.leasehold.jobs.JobId;
import io.leasehold.rest.stack.ApiClient;
import io.leasehold.rest.stack.Gate;
import io.leasehold.rest.stack.RestStack;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The jobs that this process announces to other processes as watched. */
class WatchedTest {

  private static final Duration LONG = Duration.ofSeconds(60);

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private final Heard heard = new Heard();
  private final Gate gate = new Gate();

  @Test
  void areOnlyExistingUnfinishedJobs() {
    var other = other();
    other.hear("leasehold_watch", heard);
    other.start();
    await().atMost(LONG).until(heard.connected::get);
    try (var stack = RestStack.on(database)) {
      var client = stack.client(ACME);
      var over = stack.submit(ACME, (job, name) -> "done");
      await()
          .atMost(LONG)
          .until(() -> client.get(path(over, "")).word("status").equals("succeeded"));

      assertThat(client.get(path(over, "?wait=1s")).status()).isEqualTo(200);
      assertThatNothingIsToldOf(stack.submit(GLOBEX, gate), client);
      assertThatNothingIsToldOf(new JobId(UUID.randomUUID()), client);

      try (var _ = client.stream(path(stack.submit(ACME, gate), "/events/stream"))) {
        await().atMost(LONG).until(() -> !heard.watched.isEmpty());
        // Each job has eleven characters, and hints come in the order of what they are about.
        assertThat(heard.watched).hasSize(1).allMatch(hint -> hint.length() == 11);
      }
      gate.open();
    } finally {
      other.close();
    }
  }

  private static void assertThatNothingIsToldOf(JobId id, ApiClient client) {
    assertThat(client.get(path(id, "?wait=1s")).status()).isEqualTo(404);
    assertThat(client.get(path(id, "/events/stream")).status()).isEqualTo(404);
    assertThat(client.get(path(id, "/events?follow=true")).status()).isEqualTo(404);
  }

  private static String path(JobId id, String rest) {
    return "/api/v1/jobs/" + id + rest;
  }

  /** As another process hears. */
  private static Notifications other() {
    var secret = new Secret(TestDatabase.PASSWORD);
    var db = DbConfig.of(database.jdbcUrl(), secret, secret).fsyncRequired(false).build();
    return Guice.createInjector(
            new SecureDbModule(db),
            binder -> Multibinder.newSetBinder(binder, TableDeclaration.class))
        .getInstance(Notifications.class);
  }

  private static final class Heard implements Notifications.Hearer {

    private final AtomicBoolean connected = new AtomicBoolean();
    private final Set<String> watched = ConcurrentHashMap.newKeySet();

    @Override
    public void heard(String said) {
      var words = List.of(said.split(" ", -1));
      if (words.get(1).equals("w") && !words.get(2).isEmpty()) {
        watched.add(words.get(2));
      }
    }

    @Override
    public void connected() {
      connected.set(true);
    }
  }
}
