package io.leasehold.engine;

import io.leasehold.jobs.JobContext;
import java.io.Serial;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a handler can do to its worker, each a poison of its own. */
enum Pill {
  OVERFLOWS_THE_STACK {
    @Override
    Object take(JobContext job) throws Exception {
      return OTHER_HALF.take(job) + "1";
    }
  },
  OTHER_HALF {
    @Override
    Object take(JobContext job) throws Exception {
      return OVERFLOWS_THE_STACK.take(job) + "2";
    }
  },
  ASKS_FOR_TOO_LARGE_AN_ARRAY {
    @Override
    Object take(JobContext job) {
      return new byte[Integer.MAX_VALUE];
    }
  },
  THROWS_OUT_OF_MEMORY {
    @Override
    Object take(JobContext job) {
      throw new OutOfMemoryError("so it says");
    }
  },
  THROWS_AN_ERROR_OF_ITS_OWN {
    @Override
    Object take(JobContext job) {
      throw new Death();
    }
  },
  GIVES_100_MEGABYTES {
    @Override
    Object take(JobContext job) {
      return "x".repeat(100_000_000);
    }
  },
  GIVES_WHAT_IS_NO_JSON {
    @Override
    Object take(JobContext job) {
      return new Unwritable("");
    }
  },
  GIVES_AN_ENDLESS_TREE {
    @Override
    Object take(JobContext job) {
      List<Object> tree = new ArrayList<>();
      tree.add(tree);
      return tree;
    }
  },
  GIVES_NUL {
    @Override
    Object take(JobContext job) {
      return "a\0b";
    }
  },
  GIVES_HALF_A_CHARACTER {
    @Override
    Object take(JobContext job) {
      return "a\ud83db";
    }
  },
  THROWS_NUL_AND_HALF_A_CHARACTER {
    @Override
    Object take(JobContext job) {
      throw new IllegalStateException("a\0b\udc00c");
    }
  },
  THROWS_A_LONG_MESSAGE {
    @Override
    Object take(JobContext job) {
      throw new IllegalStateException("x".repeat(10_000_000));
    }
  },
  THROWS_WHAT_CANNOT_BE_TOLD {
    @Override
    Object take(JobContext job) {
      throw new Untellable();
    }
  },
  THROWS_WHAT_IS_ITS_OWN_CAUSE {
    @Override
    Object take(JobContext job) {
      var effect = new IllegalStateException("effect");
      effect.initCause(new IllegalStateException("cause", effect));
      throw effect;
    }
  },
  TELLS_NUL_AND_HALF_A_CHARACTER {
    @Override
    Object take(JobContext job) {
      job.progress(1, "a\0b\ud83dc");
      return "told";
    }
  },
  INTERRUPTS_ITSELF {
    @Override
    Object take(JobContext job) {
      Thread.currentThread().interrupt();
      return "interrupted";
    }
  },
  INTERRUPTS_ITSELF_AND_THROWS {
    @Override
    Object take(JobContext job) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted");
    }
  },
  LEAVES_SOMETHING_TO_ITS_THREAD {
    @Override
    Object take(JobContext job) {
      LEFT.set("left");
      Thread.currentThread().setUncaughtExceptionHandler((thread, e) -> {});
      return "left";
    }
  },
  SLEEPS_TOO_LONG {
    @Override
    Object take(JobContext job) throws InterruptedException {
      new CountDownLatch(1).await();
      return "awake";
    }
  },
  /** Longer than a worker waits for it. */
  IGNORES_INTERRUPTS {
    @Override
    Object take(JobContext job) {
      spin();
      return "released";
    }
  };

  /** Ends those that do not end by themselves. */
  static final AtomicBoolean RELEASED = new AtomicBoolean();

  static final Duration TIMEOUT = Duration.ofSeconds(5);

  private static final ThreadLocal<String> LEFT = new ThreadLocal<>();

  abstract Object take(JobContext job) throws Exception;

  /** Computes, and never yields the processor. */
  static void spin() {
    while (!RELEASED.get()) {
      Thread.onSpinWait();
    }
  }

  /** Refuses to be written. */
  record Unwritable(String text) {
    @Override
    public String text() {
      throw new IllegalStateException("not today");
    }
  }

  /** As {@code ThreadDeath} was: no exception, and nothing that the JVM is wrong with. */
  static final class Death extends Error {
    @Serial private static final long serialVersionUID = 1L;
  }

  /** Whatever it is asked, it throws. */
  static final class Untellable extends RuntimeException {
    @Serial private static final long serialVersionUID = 1L;

    @Override
    public String toString() {
      throw this;
    }

    @Override
    public String getMessage() {
      throw new Death();
    }

    @Override
    public synchronized Throwable getCause() {
      throw new Death();
    }

    @Override
    public StackTraceElement[] getStackTrace() {
      throw new Death();
    }
  }
}
