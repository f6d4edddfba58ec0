package io.leasehold.db;

import java.util.Objects;

/** A password or the like, kept out of logs: only {@link #reveal} tells it. */
public final class Secret {

  private final String value;

  /** Keeps a secret; an empty one is one that a server refuses. */
  public Secret(String value) {
    this.value = value;
  }

  /** The secret itself, for who has to send it: not to be logged, nor put into a message. */
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
