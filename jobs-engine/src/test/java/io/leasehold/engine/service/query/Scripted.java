package io.leasehold.engine.service.query;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.jobs.ExponentialBackoff;
import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobHandler;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.PermanentFailure;
import jakarta.inject.Inject;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Does what its input says. */
public final class Scripted implements JobHandler<Scripted.Script, String> {

  /** Attempted once. */
  public static final JobType<Script, String> ONCE = type("once");

  /** Attempted three times, at once after the first failure. */
  public static final JobType<Script, String> SOON =
      type("soon").retry(new ExponentialBackoff(3, Duration.ofMillis(1), Duration.ofMillis(1), 0));

  /** Attempted three times, an hour after the first failure. */
  public static final JobType<Script, String> LATER =
      type("later").retry(new ExponentialBackoff(3, Duration.ofHours(1), Duration.ofHours(1), 0));

  /** Attempted once, for a tenth of a second. */
  public static final JobType<Script, String> SHORT = type("short").timeout(Duration.ofMillis(100));

  private final Gate gate;

  @Inject
  Scripted(Gate gate) {
    this.gate = gate;
  }

  private static JobType<Script, String> type(String name) {
    return JobType.restartable(
        "gts.x.core.jobs.handler.v1~acme.reading.tests.%s.v1".formatted(name),
        Script.class,
        String.class);
  }

  /**
   * What to do.
   *
   * @param secret a text that must never be readable again
   */
  public record Script(Deed deed, String secret) {}

  /** What can be done. */
  public enum Deed {
    RETURN,
    WAIT,
    FAIL,
    FAIL_ONCE,
    FAIL_FOR_GOOD,
    STAY
  }

  /** Where jobs wait until the test lets them go. */
  public static final class Gate {

    private final Semaphore open = new Semaphore(0);

    /** Lets one job pass. */
    public void open() {
      open.release();
    }

    private void pass() throws InterruptedException {
      if (!open.tryAcquire(30, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the gate stays closed");
      }
    }
  }

  /** Registers it for all its types. */
  public static final class Handlers extends AbstractModule {

    private final Gate gate;

    /** With one gate for all of its jobs. */
    public Handlers(Gate gate) {
      this.gate = gate;
    }

    @Override
    protected void configure() {
      bind(Gate.class).toInstance(gate);
      handlerBinder(binder()).handle(ONCE).with(Scripted.class);
      handlerBinder(binder()).handle(SOON).with(Scripted.class);
      handlerBinder(binder()).handle(LATER).with(Scripted.class);
      handlerBinder(binder()).handle(SHORT).with(Scripted.class);
    }
  }

  @Override
  public String run(JobContext job, Script script) throws Exception {
    switch (script.deed()) {
      case RETURN -> {}
      case WAIT -> {
        job.progress(40, "at the gate");
        gate.pass();
      }
      case FAIL -> throw new IllegalStateException("broken " + job.attempt());
      case FAIL_ONCE -> {
        if (job.attempt() == 1) {
          throw new IllegalStateException("broken once");
        }
      }
      case FAIL_FOR_GOOD -> throw new PermanentFailure("hopeless");
      case STAY -> gate.pass();
    }
    return "done in attempt " + job.attempt();
  }
}
