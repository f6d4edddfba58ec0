package io.leasehold.arch.planted;

/** Classes that can be extended, and others. */
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
}
