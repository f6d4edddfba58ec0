package io.leasehold.rest;

import static io.leasehold.engine.HandlerBinder.handlerBinder;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.inject.AbstractModule;
import com.google.inject.Guice;
import com.google.inject.Injector;
import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.db.SecureDatabase;
import io.leasehold.db.SecureDbModule;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineModule;
import io.leasehold.engine.JobEngine;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobService;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.migrations.MigrationConfig;
import io.leasehold.migrations.Migrator;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** The example of docs/guide/first-job.md: from an empty database to the result of a job. */
class FirstJobGuideTest {

  @RegisterExtension static final TestDatabase database = TestDatabase.empty();

  private final List<String> shown = new ArrayList<>();

  record Letter(String to, int pages) {}

  static final class SendLetter implements JobHandler<Letter, String> {

    static final JobType<Letter, String> TYPE =
        JobType.restartable(
                "gts.x.core.jobs.handler.v1~acme.post.letters.send.v1", Letter.class, String.class)
            .timeout(Duration.ofMinutes(5))
            .retry(RetryPolicy.exponential(5));

    @Override
    public String run(JobContext job, Letter letter) {
      for (var page = 1; page <= letter.pages(); page++) {
        job.progress(100 * page / letter.pages(), "page " + page);
      }
      return "sent to " + letter.to();
    }
  }

  static final class LettersModule extends AbstractModule {
    @Override
    protected void configure() {
      handlerBinder(binder()).handle(SendLetter.TYPE).with(SendLetter.class);
    }
  }

  static final class Service implements AutoCloseable {

    private final Injector injector;

    Service(DbConfig database) {
      injector =
          Guice.createInjector(
              new SecureDbModule(database),
              new EngineModule(EngineConfig.defaults()),
              new LettersModule());
      injector.getInstance(SecureDatabase.class).start();
      injector.getInstance(JobEngine.class).start();
    }

    <T> T part(Class<T> type) {
      return injector.getInstance(type);
    }

    @Override
    public void close() {
      injector.getInstance(JobEngine.class).stop(Duration.ofSeconds(30));
      injector.getInstance(SecureDatabase.class).close();
    }
  }

  private static void migrate(
      String jdbcUrl, String admin, String adminPassword, String tenant, String engine) {
    var passwords = Map.of("leasehold_tenant", tenant, "leasehold_engine", engine);
    new Migrator(new MigrationConfig(jdbcUrl, admin, adminPassword, passwords)).migrate();
  }

  private static DbConfig config(String jdbcUrl, String tenantPassword, String enginePassword) {
    return DbConfig.of(jdbcUrl, new Secret(tenantPassword), new Secret(enginePassword)).build();
  }

  private String sendLetter(JobService jobs, UUID customer) {
    var caller = SecurityContext.of("ann@acme.example", new TenantId(customer)).build();

    var letter = SendLetter.TYPE.request(new Letter("kim", 2)).key("letter 7");
    var id = jobs.submit(caller, letter).jobId();

    var job = jobs.await(caller, id, Duration.ofSeconds(30)).orElseThrow();
    job.progress().ifPresent(progress -> show(progress.percent() + " %"));
    return switch (jobs.result(caller, id, String.class)) {
      case JobResult.Succeeded<String>(String output) -> output;
      case JobResult.Ended<String>(var status, var error) -> status + ": " + error.orElse("");
      case JobResult.NotOver<String> _ -> "it still runs";
      case JobResult.NotFound<String> _ -> "there is no such job";
    };
  }

  private void show(String text) {
    shown.add(text);
  }

  @Test
  void theConfigurationHasThePasswordsAsSecrets() {
    var config = config("jdbc:postgresql://db/service", "one", "two");

    assertThat(config.tenantPassword()).isEqualTo(new Secret("one"));
    assertThat(config.enginePassword()).isEqualTo(new Secret("two"));
    assertThat(config.toString()).doesNotContain("one", "two");
  }

  @Test
  void runsAJobOnAnEmptyDatabase() {
    migrate(
        database.jdbcUrl(),
        database.administrator(),
        database.administratorPassword(),
        TestDatabase.PASSWORD,
        TestDatabase.PASSWORD);
    var secret = new Secret(TestDatabase.PASSWORD);
    var config = DbConfig.of(database.jdbcUrl(), secret, secret).fsyncRequired(false).build();

    try (var service = new Service(config)) {
      assertThat(sendLetter(service.part(JobService.class), UUID.randomUUID()))
          .isEqualTo("sent to kim");
      assertThat(shown).containsExactly("100 %");
    }
  }
}
