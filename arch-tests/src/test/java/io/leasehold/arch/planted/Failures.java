package io.leasehold.arch.planted;

import java.io.IOException;
import java.io.Reader;
import java.util.Optional;
import java.util.concurrent.Callable;

/** Exceptions that are thrown and caught. */
public final class Failures {

  private Failures() {}

  public static final class ThrowsRuntimeException {
    void fail() {
      throw new RuntimeException("failed");
    }
  }

  public static final class ThrowsException {
    void fail() throws Exception {
      throw new Exception("failed");
    }
  }

  public static final class ThrowsThrowable {
    void fail() throws Throwable {
      throw new Throwable("failed");
    }
  }

  public static final class ThrowsError {
    void fail() {
      throw new Error("failed");
    }
  }

  public static final class ThrowsByReference {
    String fail(Optional<String> value) {
      return value.orElseThrow(RuntimeException::new);
    }
  }

  /** A clean twin: calls the constructor above its own. */
  public static final class OutOfPaper extends RuntimeException {
    private static final long serialVersionUID = 1;

    OutOfPaper() {
      super("out of paper");
    }
  }

  /** A clean twin. */
  public static final class ThrowsItsOwn {
    void fail() {
      throw new OutOfPaper();
    }
  }

  public static final class CatchesException {
    boolean works(Callable<?> work) {
      try {
        work.call();
        return true;
      } catch (Exception e) {
        return false;
      }
    }
  }

  public static final class CatchesThrowable {
    boolean works(Runnable work) {
      try {
        work.run();
        return true;
      } catch (Throwable e) {
        return false;
      }
    }
  }

  public static final class CatchesErrors {
    boolean works(Runnable work) {
      try {
        work.run();
        return true;
      } catch (RuntimeException | Error e) {
        return false;
      }
    }
  }

  public static final class CatchesErrorsForOthers {
    void run(Runnable work) {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        if (e.getCause() == null) {
          throw e;
        }
      }
    }
  }

  public static final class CatchesBesideResources {
    void run(AutoCloseable resource, Runnable work, IllegalStateException all) throws Exception {
      try (resource) {
        work.run();
      }
      try {
        work.run();
      } catch (Throwable e) {
        all.addSuppressed(e);
      }
    }
  }

  public static final class CatchesToClose {
    void run(AutoCloseable resource, Runnable work) throws Exception {
      try {
        work.run();
      } catch (Throwable e) {
        resource.close();
      }
    }
  }

  public static final class CatchesInLambda {
    Runnable quiet(Callable<?> work) {
      return () -> {
        try {
          work.call();
        } catch (Exception e) {
          Thread.currentThread().interrupt();
        }
      };
    }
  }

  /** The clean twin, with all that makes the compiler catch everything by itself. */
  public static final class CatchesWhatItKnows {
    record Pair(Object left, Object right) {}

    int read(Callable<Reader> source, Object value) throws Exception {
      try (var reader = source.call();
          var second = source.call()) {
        return reader.read() + second.read();
      } catch (IOException e) {
        return -1;
      } finally {
        Thread.onSpinWait();
      }
    }

    void cleanUp(Runnable work, AutoCloseable resource) throws Exception {
      try {
        work.run();
      } catch (RuntimeException | Error e) {
        resource.close();
        throw e;
      }
    }

    synchronized boolean isPair(Object value) {
      synchronized (value) {
        return value instanceof Pair(String left, Pair(var inner, var right))
            && left.equals(inner)
            && left.equals(right);
      }
    }
  }
}
