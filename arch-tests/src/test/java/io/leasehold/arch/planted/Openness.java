package io.leasehold.arch.planted;

import java.text.DecimalFormat;

/** Classes that can be extended or changed, and others. */
public final class Openness {

  private Openness() {}

  /** The violation. */
  public static class Open {}

  /** A clean twin. */
  public static final class Closed {}

  /** A clean twin. */
  public abstract static class ToBeExtended {}

  /** A clean twin. */
  public static sealed class OpenToOne {}

  /** A clean twin. */
  public static final class One extends OpenToOne {}

  /** A clean twin. */
  public record Value() {}

  /** A clean twin. */
  public enum Choice {
    PLAIN,
    WITH_BODY {}
  }

  /** The violation. */
  public static final class Changing {
    private int size;

    public void setSize(int size) {
      this.size = size;
    }

    @Override
    public String toString() {
      return "of size " + size;
    }
  }

  /** A clean twin: its supertype wants the setter. */
  public static final class Asked extends DecimalFormat {
    private static final long serialVersionUID = 1;

    @Override
    public void setMaximumFractionDigits(int digits) {}
  }
}
