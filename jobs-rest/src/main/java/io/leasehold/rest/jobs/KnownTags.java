package io.leasehold.rest.jobs;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The versions that a client already has, from its {@code If-None-Match}.
 *
 * @param tags entity tags, or {@code *} for any
 */
public record KnownTags(Set<String> tags) {

  private static final int BYTES = 12;

  public static KnownTags in(List<String> headers) {
    return new KnownTags(
        headers.stream()
            .flatMap(header -> Arrays.stream(header.split(",", -1)))
            .map(tag -> tag.strip().replaceFirst("^W/", ""))
            .collect(Collectors.toUnmodifiableSet()));
  }

  boolean isEmpty() {
    return tags.isEmpty();
  }

  public boolean has(String tag) {
    return tags.contains(tag) || tags.contains("*");
  }

  /** Returns an entity tag that is the same for the same bytes. */
  static String tagOf(byte[] bytes) {
    try {
      var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
      return "\"%s\"".formatted(HexFormat.of().formatHex(digest, 0, BYTES));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }
}
