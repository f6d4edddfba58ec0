package io.leasehold.engine.work.outputs.files;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Names files of one attempt: by the token of its lease, which nobody else has or will have, and a
 * number. Safe to share between threads.
 */
public final class FileNames {

  private static final Pattern NAME = Pattern.compile("(output|draft)-([0-9]{1,19})-[0-9]{1,10}");
  private static final String DRAFT = "draft";

  private final long token;
  private final AtomicInteger next = new AtomicInteger();

  public FileNames(long token) {
    this.token = token;
  }

  /** Of a file that is written at once. */
  public String output() {
    return "output-%d-%d".formatted(token, next.getAndIncrement());
  }

  /** Of a part of one that grows. */
  public String draft() {
    return "%s-%d-%d".formatted(DRAFT, token, next.getAndIncrement());
  }

  /** Whether it is a name of ours: others' files are left alone. */
  public static boolean isOurs(String file) {
    return NAME.matcher(file).matches();
  }

  public static boolean isDraft(String file) {
    return file.startsWith(DRAFT);
  }

  public static boolean isOf(long token, String file) {
    var name = NAME.matcher(file);
    return name.matches() && name.group(2).equals(Long.toString(token));
  }
}
