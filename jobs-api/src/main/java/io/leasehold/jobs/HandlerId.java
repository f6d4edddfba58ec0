package io.leasehold.jobs;

import java.util.regex.Pattern;

/**
 * Identifies a handler: a GTS instance identifier of the type {@code x.core.jobs.handler.v1}.
 *
 * <p>An id starts with {@code gts.}, followed by the type and one or more segments of its own,
 * joined by {@code ~}. A segment is {@code vendor.package.namespace.type.vMAJOR[.MINOR]}. Each of
 * its first four parts begins with a small letter or an underscore and continues with small
 * letters, underscores and digits. For example: {@code
 * gts.x.core.jobs.handler.v1~acme.reports.monthly.report.v1}.
 *
 * @param value at most 255 characters
 */
public record HandlerId(String value) {

  private static final int LENGTH_MAX = 255;
  private static final String TYPE = "gts.x.core.jobs.handler.v1~";
  private static final String PART = "[a-z_][a-z0-9_]*";
  private static final String NUMBER = "(0|[1-9][0-9]{0,8})";
  private static final String SEGMENT = "(" + PART + "\\.){4}v" + NUMBER + "(\\." + NUMBER + ")?";
  private static final Pattern OWN = Pattern.compile(SEGMENT + "(~" + SEGMENT + ")*");

  /**
   * Checks the form.
   *
   * @throws IllegalArgumentException if the value is not such an identifier
   */
  public HandlerId {
    if (value.length() > LENGTH_MAX) {
      throw new IllegalArgumentException(
          "handler id must have at most %d characters, not %d"
              .formatted(LENGTH_MAX, value.length()));
    }
    if (!value.startsWith(TYPE) || !OWN.matcher(value.substring(TYPE.length())).matches()) {
      throw new IllegalArgumentException(
          "handler id must be %svendor.package.namespace.type.v1 in small letters, not %s"
              .formatted(TYPE, value));
    }
  }

  @Override
  public String toString() {
    return value;
  }
}
