package io.leasehold.engine.output;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Names files of one attempt: by the token of its lease, which nobody else has or will have, and a
 * number. Safe to share between threads.
 */
final class FileNames {

  private static final Pattern NAME = Pattern.compile("(output|draft)-([0-9]{1,19})-[0-9]{1,10}");
  private static final String DRAFT = "draft";

  private final long token;
  private final AtomicInteger next = new AtomicInteger();

  FileNames(long token) {
    this.token = token;
  }

  /** Of a file that is written at once. */
  String output() {
    return "output-%d-%d".formatted(token, next.getAndIncrement());
  }

  /** Of a part of one that grows. */
  String draft() {
    return "%s-%d-%d".formatted(DRAFT, token, next.getAndIncrement());
  }

  /** Whether it is a name of ours: others' files are left alone. */
  static boolean isOurs(String file) {
    return NAME.matcher(file).matches();
  }

  static boolean isDraft(String file) {
    return file.startsWith(DRAFT);
  }

  static boolean isOf(long token, String file) {
    var name = NAME.matcher(file);
    return name.matches() && name.group(2).equals(Long.toString(token));
  }
}
