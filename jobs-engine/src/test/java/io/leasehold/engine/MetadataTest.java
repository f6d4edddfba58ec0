package io.leasehold.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobFilter;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobResult;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import io.leasehold.jobs.schedules.ScheduleRequest;
import io.leasehold.jobs.spi.JobInterceptor;
import io.leasehold.testkit.TestDatabase;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.util.RawValue;

/** JSON values that are kept with a job. Examples of the guide are here. */
class MetadataTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final SecurityContext CALLER =
      SecurityContext.of("ann", new TenantId(new UUID(1, 1))).build();
  private static final SecurityContext STRANGER =
      SecurityContext.of("bob", new TenantId(new UUID(2, 2))).build();
  private static final String SECRET = "xyzzy-secret";

  private static final JobType<String, String> READ = Handlers.type("read");
  private static final JobType<String, String> FAILS = Handlers.type("fails");
  private static final JobType<String, String> PRINT = Handlers.type("print");
  private static final JobType<String, String> READ_IN_MEMORY =
      JobType.inMemory(
          "gts.x.core.jobs.handler.v1~acme.tests.engine.read_in_memory.v1",
          String.class,
          String.class);

  private static final List<String> stamps = new CopyOnWriteArrayList<>();
  private static RunningEngine engine;

  /**
   * The customer of a print job.
   *
   * @param name of the customer
   * @param copies how many
   * @param paid for one
   */
  record Customer(String name, List<Integer> copies, BigDecimal paid) {}

  /** Adds a value to what is submitted, and sees it where the job runs. */
  private static final class Stamp implements JobInterceptor {

    @Override
    public <I, O> JobRequest<I, O> submitting(SecurityContext caller, JobRequest<I, O> request) {
      return request.metadata("stamp", Map.of("by", caller.principal()));
    }

    @Override
    public @Nullable Object running(JobContext job, Execution execution) throws Exception {
      stamps.add(job.id() + " by " + job.metadata("stamp", Map.class).orElseThrow().get("by"));
      return execution.proceed();
    }
  }

  @BeforeAll
  static void start() {
    engine =
        RunningEngine.on(
            database,
            EngineConfig.defaults(),
            new Handlers()
                .with(READ, (job, input) -> read(job))
                .with(READ_IN_MEMORY, (job, input) -> read(job))
                .with(FAILS, (job, input) -> String.valueOf(job.metadata("word", Customer.class)))
                .with(
                    PRINT,
                    (job, page) -> {
                      var customer = job.metadata("customer", Customer.class).orElseThrow();
                      return "%s for %s".formatted(page, customer.name());
                    })
                .around(new Stamp()));
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  private static String read(JobContext job) {
    return Stream.of(
            job.metadata("text", String.class),
            job.metadata("number", Integer.class),
            job.metadata("exact", BigDecimal.class),
            job.metadata("at", Instant.class),
            job.metadata("list", List.class),
            job.metadata("customer", Customer.class),
            job.metadata("nothing", String.class),
            job.metadata("absent", String.class))
        .map(Optional::toString)
        .toList()
        .toString();
  }

  private static JobRequest<String, String> withValues(JobType<String, String> type) {
    return type.request("")
        .metadata("text", "pl\"ain \u2603 \0")
        .metadata("number", 7)
        .metadata("exact", new BigDecimal("1.10"))
        .metadata("at", Instant.EPOCH)
        .metadata("list", List.of("a", List.of("b")))
        .metadata("nothing", Optional.empty())
        .metadata("customer", new Customer("ann", List.of(1, 2), new BigDecimal("9.00")));
  }

  private static final String VALUES =
      "[Optional[pl\"ain \u2603 \0], Optional[7], Optional[1.10],"
          + " Optional[1970-01-01T00:00:00Z], Optional[[a, [b]]],"
          + " Optional[Customer[name=ann, copies=[1, 2], paid=9.00]], Optional.empty,"
          + " Optional.empty]";

  @Test
  void aHandlerReadsEachValueWithItsType() {
    var id = engine.jobs().submit(CALLER, withValues(READ)).jobId();

    assertThat(output(id)).isEqualTo(VALUES);
    assertThat(stamps).contains(id + " by ann");
  }

  @Test
  void aJobInMemoryHasTheSameValues() {
    var id = engine.jobs().submit(CALLER, withValues(READ_IN_MEMORY)).jobId();

    assertThat(output(id)).isEqualTo(VALUES);
    assertThat(engine.jobs().metadata(CALLER, id, "customer", Customer.class))
        .map(Customer::name)
        .hasValue("ann");
    assertThat(engine.jobs().metadata(STRANGER, id, "customer", Customer.class)).isEmpty();
  }

  @Test
  void aBatchKeepsTheValuesOfEachJob() {
    var jobs =
        engine
            .jobs()
            .submitAll(
                CALLER,
                List.of(
                        PRINT.request("a").metadata("customer", Map.of("name", "ann")),
                        PRINT.request("b").metadata("customer", Map.of("name", "bob")))
                    .iterator());

    assertThat(output(jobs.get(0).jobId())).isEqualTo("a for ann");
    assertThat(output(jobs.get(1).jobId())).isEqualTo("b for bob");
  }

  @Test
  void valuesAreReadWithTheJob() {
    var request =
        PRINT
            .request("invoice")
            .metadata("source", "web")
            .metadata("customer", new Customer("ann", List.of(1, 2), new BigDecimal("9.00")));
    var id = engine.jobs().submit(CALLER, request.delay(Duration.ofHours(1))).jobId();

    var customer = engine.jobs().metadata(CALLER, id, "customer", Customer.class);

    assertThat(customer).map(Customer::paid).hasValue(new BigDecimal("9.00"));
    assertThat(engine.jobs().metadata(CALLER, id, "source", String.class)).hasValue("web");
    assertThat(engine.jobs().metadata(CALLER, id, "other", String.class)).isEmpty();
    engine.jobs().retry(CALLER, id);
    assertThat(output(id)).isEqualTo("invoice for ann");
    assertThat(engine.jobs().metadata(CALLER, id, "source", String.class)).hasValue("web");
  }

  @Test
  void anotherTenantReadsNoValue() {
    var id = engine.jobs().submit(CALLER, withValues(READ)).jobId();

    assertThat(engine.jobs().metadata(STRANGER, id, "text", String.class)).isEmpty();
    assertThat(engine.jobs().metadata(STRANGER, id, "text", Integer.class)).isEmpty();
    var auditor =
        SecurityContext.of("cat", STRANGER.tenant()).reading(Set.of(CALLER.tenant())).build();
    assertThat(engine.jobs().metadata(auditor, id, "number", Integer.class)).hasValue(7);
  }

  /** As an earlier version stored them, with more characters than are taken now. */
  @Test
  void metadataOfAnEarlierVersionAreRead() {
    var id = engine.jobs().submit(CALLER, READ.request("").delay(Duration.ofHours(1))).jobId();
    Works.ask(
        database,
        """
        UPDATE leasehold.job SET metadata = (
          SELECT json_object_agg(name, value) FROM (
            SELECT 'word' || n, repeat(E'\\x01', 1000) FROM generate_series(1, 30) AS n
            UNION ALL VALUES ('text', 'old'), ('number', '12')) AS word (name, value))
        WHERE id = '%s'\
        """
            .formatted(id));

    assertThat(engine.jobs().metadata(CALLER, id, "text", String.class)).hasValue("old");
    assertThat(engine.jobs().metadata(CALLER, id, "word30", String.class))
        .hasValue("\u0001".repeat(1_000));
    assertThat(engine.jobs().metadata(CALLER, id, "number", String.class)).hasValue("12");
  }

  /** A value, and what the error says of it. */
  record Refused(Object value, ErrorCode code, String words) {

    @Override
    public String toString() {
      return words;
    }
  }

  /** Cannot say what it is. */
  public static final class Mute {
    private final String word = SECRET;

    public String getWord() {
      if (word.equals(SECRET)) {
        throw new IllegalStateException(word);
      }
      return word;
    }
  }

  /** Is in itself. */
  public static final class Loop {
    public Loop getSelf() {
      return this;
    }
  }

  static Stream<Refused> refused() {
    return Stream.of(
        new Refused(new Mute(), ErrorCode.VALUE_REFUSED, "'the value', a " + Mute.class.getName()),
        new Refused(new Loop(), ErrorCode.VALUE_REFUSED, "'the value', a " + Loop.class.getName()),
        new Refused(
            nested(16),
            ErrorCode.VALUE_REFUSED,
            "at most 16 deep, themselves included; 'the value'"),
        new Refused(
            new RawValue("{" + SECRET),
            ErrorCode.VALUE_REFUSED,
            "'the value', a tools.jackson.databind.util.RawValue"),
        new Refused("x".repeat(65_536), ErrorCode.TOO_LARGE, "at most 65536 characters as JSON"),
        new Refused(
            List.of("x".repeat(1 << 20)), ErrorCode.TOO_LARGE, "at most 65536 characters as JSON"));
  }

  private static Object nested(int depth) {
    Object value = SECRET;
    for (int i = 0; i < depth; i++) {
      value = List.of(value);
    }
    return value;
  }

  @ParameterizedTest
  @MethodSource("refused")
  void aValueThatCannotBeStoredIsRefusedByItsName(Refused refused) {
    for (var type : List.of(READ, READ_IN_MEMORY)) {
      var request = type.request("").metadata("the value", refused.value());
      var before = engine.jobs().list(CALLER, JobFilter.newest().handler(type.handler())).jobs();

      var thrown =
          catchThrowableOfType(JobsException.class, () -> engine.jobs().submit(CALLER, request));

      assertThat(thrown.code()).isEqualTo(refused.code());
      assertThat(thrown).hasMessageContaining(refused.words());
      assertThat(everyWordOf(thrown)).doesNotContain(SECRET);
      assertThat(engine.jobs().list(CALLER, JobFilter.newest().handler(type.handler())).jobs())
          .hasSameSizeAs(before);
    }
  }

  @Test
  void errorForAValueOfAnotherTypeNamesItWithoutShowingIt() {
    var request = FAILS.request("").metadata("word", SECRET).maxAttempts(1);
    var id = engine.jobs().submit(CALLER, request).jobId();
    await().until(() -> engine.jobs().find(CALLER, id).orElseThrow().status().isFinal());

    var error = engine.jobs().find(CALLER, id).orElseThrow().lastError().orElseThrow();
    var thrown =
        catchThrowableOfType(
            JobsException.class, () -> engine.jobs().metadata(CALLER, id, "word", Integer.class));

    assertThat(error)
        .contains("metadata 'word' cannot be read as " + Customer.class.getName())
        .doesNotContain(SECRET);
    assertThat(thrown.code()).isEqualTo(ErrorCode.RESULT_UNREADABLE);
    assertThat(everyWordOf(thrown))
        .contains("metadata 'word' cannot be read as java.lang.Integer")
        .doesNotContain(SECRET);
  }

  @Test
  void theJobsOfAScheduleHaveTheValues() {
    var job =
        PRINT
            .request("page")
            .metadata("text", "plain")
            .metadata("customer", new Customer("ann", List.of(), new BigDecimal("1.10")));
    engine.schedules().put(CALLER, ScheduleRequest.of("pages", "* * * * * *", job));
    try {
      var id =
          await()
              .atMost(Duration.ofSeconds(20))
              .until(
                  () -> engine.schedules().find(CALLER, "pages").orElseThrow().lastJob(),
                  Optional::isPresent)
              .orElseThrow();

      assertThat(output(id)).isEqualTo("page for ann");
      assertThat(engine.jobs().metadata(CALLER, id, "customer", Customer.class))
          .map(Customer::paid)
          .hasValue(new BigDecimal("1.10"));
      assertThat(engine.jobs().metadata(CALLER, id, "text", String.class)).hasValue("plain");
      assertThat(engine.jobs().metadata(CALLER, id, ScheduleRequest.SLOT, Instant.class))
          .isPresent();
    } finally {
      engine.schedules().remove(CALLER, "pages");
    }
  }

  /** Its jobs have two values more, which say where they come from. */
  @Test
  void aScheduleHasRoomForItsOwnValues() {
    var job = PRINT.request("page").metadata("long", "x".repeat(65_480));
    engine.jobs().submit(CALLER, job.delay(Duration.ofHours(1)));

    var thrown =
        catchThrowableOfType(
            JobsException.class,
            () -> engine.schedules().put(CALLER, ScheduleRequest.of("long", "@yearly", job)));

    assertThat(thrown.code()).isEqualTo(ErrorCode.TOO_LARGE);
  }

  private static String everyWordOf(Throwable thrown) {
    var words = new ArrayList<String>();
    for (var next = thrown; next != null; next = next.getCause()) {
      words.add(String.valueOf(next));
    }
    return String.join("\n", words);
  }

  private static String output(JobId id) {
    var job =
        await()
            .atMost(Duration.ofSeconds(20))
            .until(
                () -> engine.jobs().find(CALLER, id).orElseThrow(),
                found -> found.status().isFinal());
    assertThat(job.status()).as(job.lastError().orElse("")).isEqualTo(JobStatus.SUCCEEDED);
    var result = engine.jobs().result(CALLER, id, String.class);
    return String.valueOf(((JobResult.Succeeded<String>) result).output());
  }
}
