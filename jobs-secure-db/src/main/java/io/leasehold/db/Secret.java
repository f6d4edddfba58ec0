package io.leasehold.db;

import java.util.Objects;

/** A password or similar value, kept out of logs: only {@link #reveal} returns it. */
public final class Secret {

  private final String value;

  /** Keeps a secret. An empty one is allowed, but servers refuse it. */
  public Secret(String value) {
    this.value = value;
  }

  /**
   * Returns the secret itself, for code that has to send it. It must not be logged or put into a
   * message.
   */
  public String reveal() {
    return value;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Secret secret && secret.value.equals(value);
  }

  @Override
  public int hashCode() {
    return Objects.hashCode(value);
  }

  @Override
  public String toString() {
    return "***";
  }
}
