package io.leasehold.db;

import java.util.Objects;

/** A password or the like, kept out of logs: only {@link #reveal} tells it. */
public final class Secret {

  private final String value;

  public Secret(String value) {
    this.value = value;
  }

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
