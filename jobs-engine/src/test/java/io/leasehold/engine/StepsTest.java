package io.leasehold.engine;

import static io.leasehold.engine.Works.CALLER;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.Job;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.JobStatus;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.JobsException;
import io.leasehold.jobs.RetryPolicy;
import io.leasehold.testkit.TestDatabase;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Parts of a job's work that are done once in its life, and what it keeps besides. */
class StepsTest {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  private static final Duration LEASE = Duration.ofSeconds(3);
  private static final JobType<String, String> TYPE =
      Handlers.type("steps").retry(RetryPolicy.exponential(3).first(Duration.ofMillis(1)));
  private static final JobType<String, String> IN_TRANSACTION = Handlers.type("transaction");
  private static final JobType<String, String> MORTAL =
      Handlers.type("mortal").retry(RetryPolicy.exponential(20));
  private static final JobType<String, String> EFFECT = Handlers.type("effect");
  private static final JobType<String, String> OTHER = Handlers.type("other");

  private static final Works works = new Works();
  private static RunningEngine engine;

  @BeforeAll
  static void start() {
    var handlers =
        new Handlers()
            .with(TYPE, works)
            .with(MORTAL, works)
            .inTransaction(IN_TRANSACTION, (tx, job, input) -> works.run(job, input));
    var config = EngineConfig.defaults().lease(LEASE).rescueEvery(Duration.ofMillis(200));
    engine = RunningEngine.on(database, config, handlers);
  }

  @AfterAll
  static void stop() {
    engine.close();
  }

  @Test
  void areNotRepeatedByLaterAttempts() {
    var calls = new CopyOnWriteArrayList<String>();
    var seen = new CopyOnWriteArrayList<String>();

    var job =
        run(
            (context, _) -> {
              for (var name : List.of("a", "b", "c")) {
                seen.add(step(context, name, calls));
                if (name.equals("b") && context.attempt() < 3) {
                  throw new IllegalStateException("after b");
                }
              }
              return "done";
            });

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(calls).containsExactly("a", "b", "c");
    assertThat(seen).containsExactly("a1", "b2", "a1", "b2", "a1", "b2", "c3");
  }

  @Test
  void areDoneOnceInAnAttempt() {
    var calls = new CopyOnWriteArrayList<String>();

    run(
        (context, _) ->
            step(context, "a", calls) + step(context, "a", calls) + step(context, "b", calls));

    assertThat(calls).containsExactly("a", "b");
  }

  @Test
  @SuppressWarnings("NullAway") // A class has no type that may be null.
  void mayReturnNothing() {
    var calls = new AtomicInteger();

    var job =
        run(
            (context, _) -> {
              context.<@Nullable String>step(
                  "void",
                  String.class,
                  () -> {
                    calls.incrementAndGet();
                    return null;
                  });
              if (context.attempt() == 1) {
                throw new IllegalStateException("again");
              }
              return "done";
            });

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(calls).hasValue(1);
  }

  @Test
  void areKeptWhenTheWorkerIsLost() throws Exception {
    var calls = new CopyOnWriteArrayList<String>();
    var stale = new CopyOnWriteArrayList<ErrorCode>();
    var begun = new CountDownLatch(1);
    var id =
        submit(
            (context, _) -> {
              step(context, "before", calls);
              if (context.attempt() == 1) {
                begun.countDown();
                awaitInterrupt();
                stale.add(refusal(() -> step(context, "stale", new ArrayList<>())));
                stale.add(refusal(() -> context.checkpoint("stale")));
              }
              step(context, "after", calls);
              return "done";
            });
    begun.await();

    robOfItsLease(id);

    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(find(id).attempts()).isEqualTo(2);
    assertThat(calls).containsExactly("before", "after");
    await().untilAsserted(() -> assertThat(stale).hasSize(2));
    assertThat(stale).containsOnly(ErrorCode.LEASE_LOST);
    assertThat(names(id)).isEqualTo("after,before");
    assertThat(ask("SELECT count(*) FROM leasehold.checkpoint WHERE id = '%s'".formatted(id)))
        .isEqualTo("0");
  }

  /**
   * Dies before a step, in it, behind what it wrote, behind it, and before its transaction ends.
   */
  @Test
  void areNotRepeatedAfterAnyCrash() {
    var seed = new Random().nextLong();
    var random = new Random(seed);
    var deaths = new AtomicInteger();
    var finished = ConcurrentHashMap.<String>newKeySet();
    var repeated = new CopyOnWriteArrayList<String>();

    var id =
        submit(
            MORTAL,
            (context, input) -> {
              for (int i = 0; i < 10; i++) {
                var name = "step " + i;
                Callable<String> body =
                    () -> {
                      if (finished.contains(name)) {
                        repeated.add(name);
                      }
                      mayDie(context, random, deaths);
                      return name;
                    };
                mayDie(context, random, deaths);
                if (i % 2 == 0) {
                  context.step(name, String.class, body);
                } else {
                  engine
                      .transactions()
                      .asTenant(
                          context.caller(),
                          tx -> {
                            context.step(
                                name,
                                String.class,
                                () -> {
                                  engine.jobs().submit(tx, EFFECT.request(input + name));
                                  return body.call();
                                });
                            mayDie(context, random, deaths);
                            return name;
                          });
                }
                finished.add(name);
                mayDie(context, random, deaths);
              }
              return "done";
            });

    assertThat(awaitEnd(id).status()).as("seed %d", seed).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(deaths).hasValue(20);
    assertThat(repeated).as("seed %d", seed).isEmpty();
    assertThat(ask("SELECT count(*) FROM leasehold.ready WHERE queue = 'effect'")).isEqualTo("5");
  }

  // Its lease is gone with it, and so is whatever it had not committed.
  private static void mayDie(JobContext job, Random random, AtomicInteger deaths) {
    if (random.nextInt(3) == 0 && deaths.get() < 20) {
      deaths.incrementAndGet();
      robOfItsLease(job.id());
      throw new IllegalStateException("died");
    }
  }

  @Test
  void commitWithTheirTransaction() {
    var calls = new CopyOnWriteArrayList<String>();
    var job =
        run(
            (context, input) -> {
              try {
                engine
                    .transactions()
                    .asTenant(
                        context.caller(),
                        tx -> {
                          step(context, "charge", calls);
                          step(context, "charge", calls);
                          engine.jobs().submit(tx, OTHER.request("").key(input + calls.size()));
                          if (calls.size() == 1) {
                            throw new IllegalStateException("rolled back");
                          }
                          return tx;
                        });
              } catch (IllegalStateException e) {
                assertThat(names(context.id())).isEmpty();
                throw e;
              }
              return input;
            });

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(job.attempts()).isEqualTo(2);
    assertThat(calls).containsExactly("charge", "charge");
    assertThat(names(job.id())).isEqualTo("charge");
    assertThat(ask("SELECT count(*) FROM leasehold.job_key")).isEqualTo("1");
  }

  @Test
  void areDoneAgainInTheSameAttemptAfterARollback() {
    var calls = new CopyOnWriteArrayList<String>();

    run(
        (context, input) -> {
          try {
            engine
                .transactions()
                .asTenant(
                    context.caller(),
                    tx -> {
                      step(context, "a", calls);
                      throw new IllegalStateException("rolled back");
                    });
          } catch (IllegalStateException e) {
            step(context, "a", calls);
          }
          return engine
              .transactions()
              .asTenant(
                  context.caller(),
                  tx -> {
                    try {
                      tx.savepoint(
                          inner -> {
                            step(context, "b", calls);
                            throw new IllegalStateException("undone");
                          });
                    } catch (IllegalStateException e) {
                      step(context, "b", calls);
                    }
                    return step(context, "a", calls) + step(context, "b", calls);
                  });
        });

    assertThat(calls).containsExactly("a", "a", "b", "b");
  }

  @Test
  void commitWithTheTransactionThatEndsTheJob() {
    var calls = new CopyOnWriteArrayList<String>();

    var job = run(IN_TRANSACTION, (context, _) -> step(context, "a", calls));

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(names(job.id())).isEqualTo("a");
  }

  @Test
  void keepTheLeaseThroughALongTransaction() throws Exception {
    for (var type : List.of(TYPE, IN_TRANSACTION)) {
      var begun = new CountDownLatch(1);
      var goOn = new CountDownLatch(1);
      JobHandler<String, String> work =
          (context, input) ->
              engine
                  .transactions()
                  .asTenant(
                      context.caller(),
                      tx -> {
                        step(context, "held", new ArrayList<>());
                        begun.countDown();
                        goOn.await();
                        return step(context, "more", new ArrayList<>());
                      });
      var id = submit(type, work);
      begun.await();
      var first = lockedUntil(id);

      await().atMost(Duration.ofSeconds(20)).until(() -> !lockedUntil(id).equals(first));
      ask(
          "UPDATE leasehold.lease SET locked_until = now() - interval '1 s' WHERE id = '%s'"
              .formatted(id)); // And the rescue skips it.
      await().until(() -> lockedUntil(id).compareTo(first) > 0);
      goOn.countDown();

      assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.SUCCEEDED);
      assertThat(find(id).attempts()).isEqualTo(1);
      assertThat(names(id)).isEqualTo("held,more");
    }
  }

  @Test
  void delayTheEndOfNoOtherJob() throws Exception {
    var goOn = new CountDownLatch(1);
    var kept = new CountDownLatch(1);
    var id =
        submit(
            (context, _) -> {
              Thread.ofVirtual()
                  .start(
                      () ->
                          engine
                              .transactions()
                              .asTenant(
                                  context.caller(),
                                  tx -> {
                                    context.checkpoint("left open");
                                    kept.countDown();
                                    awaitQuietly(goOn);
                                    return tx;
                                  }));
              kept.await();
              return "done";
            });
    kept.await();

    for (int i = 0; i < 20; i++) {
      var other = submit((context, _) -> "done");
      assertThat(engine.jobs().await(CALLER, other, Duration.ofSeconds(5)).orElseThrow().status())
          .isEqualTo(JobStatus.SUCCEEDED);
    }

    assertThat(find(id).status()).isEqualTo(JobStatus.RUNNING);
    goOn.countDown();
    assertThat(awaitEnd(id).status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(find(id).attempts()).isEqualTo(1);
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void haveSizeLimits() {
    var refused = new CopyOnWriteArrayList<JobsException>();
    var million = "x".repeat(1_000_000);

    var job =
        run(
            (context, _) -> {
              refused.add(
                  refused(() -> context.step("big", String.class, () -> million + million)));
              for (int i = 0; i < 16; i++) {
                context.step("m" + i, String.class, () -> million);
              }
              refused.add(refused(() -> context.step("m", String.class, () -> million)));
              refused.add(refused(() -> context.checkpoint(million + million)));
              return "done";
            });

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(refused).extracting(JobsException::code).containsOnly(ErrorCode.TOO_LARGE);
    assertThat(refused)
        .extracting(refusal -> refusal.limit().orElseThrow().most())
        .containsExactly(1L << 20, 16L << 20, 1L << 20);
    assertThat(refused)
        .allSatisfy(
            refusal -> {
              var limit = refusal.limit().orElseThrow();
              assertThat(limit.seen()).isGreaterThan(limit.most());
            });
  }

  @Test
  void areLimitedToAThousand() {
    var refused = new CopyOnWriteArrayList<JobsException>();

    var job =
        run(
            (context, _) -> {
              context.step("first", Integer.class, () -> 1);
              ask(
                  """
                  INSERT INTO leasehold.step
                  SELECT tenant_id, id, name || n, token, value, characters, done_at
                  FROM leasehold.step, generate_series(1, 999) AS n WHERE id = '%s'
                  """
                      .formatted(context.id()));
              refused.add(refused(() -> context.step("more", Integer.class, () -> 1)));
              return context.step("first", Integer.class, () -> 2).toString();
            });

    assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
    assertThat(refused)
        .extracting(refusal -> refusal.limit().orElseThrow())
        .containsExactly(new JobsException.Limit(1_000, 1_001));
  }

  @Test
  void requireAName() {
    var job = run((context, _) -> context.step("", String.class, () -> "x"));

    assertThat(job.lastError().orElseThrow()).contains("name must have a character");
  }

  @Test
  void laterAttemptsReadTheCheckpoint() {
    var found = new CopyOnWriteArrayList<Optional<String>>();

    run(
        (context, _) -> {
          found.add(context.lastCheckpoint(String.class));
          context.checkpoint("page " + context.attempt());
          context.checkpoint("page " + context.attempt() + "0");
          found.add(context.lastCheckpoint(String.class));
          if (context.attempt() < 3) {
            throw new IllegalStateException("again");
          }
          return "done";
        });

    assertThat(found)
        .containsExactly(
            Optional.empty(),
            Optional.of("page 10"),
            Optional.of("page 10"),
            Optional.of("page 20"),
            Optional.of("page 20"),
            Optional.of("page 30"));
  }

  @Test
  void aCheckpointIsRolledBackWithItsTransaction() {
    var found = new CopyOnWriteArrayList<Optional<String>>();

    run(
        (context, _) -> {
          context.checkpoint("kept");
          try {
            engine
                .transactions()
                .asTenant(
                    context.caller(),
                    tx -> {
                      context.checkpoint("undone");
                      found.add(context.lastCheckpoint(String.class));
                      throw new IllegalStateException("rolled back");
                    });
          } catch (IllegalStateException e) {
            found.add(context.lastCheckpoint(String.class));
          }
          return "done";
        });

    assertThat(found).containsExactly(Optional.of("undone"), Optional.of("kept"));
  }

  private static String step(JobContext job, String name, List<String> calls) throws Exception {
    return job.step(
        name,
        String.class,
        () -> {
          calls.add(name);
          return name + calls.size();
        });
  }

  private static JobsException refused(ThrowingCallable work) {
    return catchThrowableOfType(JobsException.class, work);
  }

  private static ErrorCode refusal(ThrowingCallable work) {
    return refused(work).code();
  }

  private static void awaitInterrupt() {
    assertThatThrownBy(() -> new CountDownLatch(1).await(20, TimeUnit.SECONDS))
        .isInstanceOf(InterruptedException.class);
  }

  // As if its worker slept: the lease has expired, and is no longer renewed.
  private static void robOfItsLease(JobId id) {
    ask(
        """
        UPDATE leasehold.lease SET worker_id = gen_random_uuid(), locked_until = now() - interval '1 s'
        WHERE id = '%s'
        """
            .formatted(id));
  }

  private static String lockedUntil(JobId id) {
    return ask("SELECT locked_until FROM leasehold.lease WHERE id = '%s'".formatted(id));
  }

  private static String names(JobId id) {
    return ask(
        "SELECT coalesce(string_agg(name, ',' ORDER BY name), '') FROM leasehold.step WHERE id = '%s'"
            .formatted(id));
  }

  private static String ask(String sql) {
    return Works.ask(database, sql);
  }

  private static Job run(JobHandler<String, String> work) {
    return run(TYPE, work);
  }

  private static Job run(JobType<String, String> type, JobHandler<String, String> work) {
    return awaitEnd(submit(type, work));
  }

  private static JobId submit(JobHandler<String, String> work) {
    return submit(TYPE, work);
  }

  private static JobId submit(JobType<String, String> type, JobHandler<String, String> work) {
    return engine.jobs().submit(CALLER, type.request(works.of(work))).jobId();
  }

  private static Job find(JobId id) {
    return engine.jobs().find(CALLER, id).orElseThrow();
  }

  private static Job awaitEnd(JobId id) {
    await().atMost(Duration.ofSeconds(30)).until(() -> find(id).status().isFinal());
    return find(id);
  }
}
