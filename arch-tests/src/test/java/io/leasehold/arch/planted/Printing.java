package io.leasehold.arch.planted;

/** Writing to the console. */
public final class Printing {

  private Printing() {}

  public static final class WritesOut {
    void write() {
      System.out.println("done");
    }
  }

  public static final class WritesErrors {
    void write() {
      System.err.println("failed");
    }
  }

  public static final class WritesStackTraces {
    void write(IllegalStateException e) {
      e.printStackTrace();
    }
  }

  /** The clean twin. */
  public static final class Answers {
    String write() {
      return "done" + System.lineSeparator();
    }
  }
}
