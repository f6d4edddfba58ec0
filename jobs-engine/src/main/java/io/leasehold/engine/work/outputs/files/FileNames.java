package io.leasehold.engine.work.outputs.files;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Pattern;

/**
 * Names the files of one attempt by a number and the token of its lease, which is unique forever.
 * Thread-safe.
 */
public final class FileNames {

  private static final Pattern NAME = Pattern.compile("(output|draft)-([0-9]{1,19})-[0-9]{1,10}");
  private static final String DRAFT = "draft";

  private final long token;
  private final AtomicInteger next = new AtomicInteger();

  public FileNames(long token) {
    this.token = token;
  }

  /** Returns a name for a file that is written at once. */
  public String output() {
    return "output-%d-%d".formatted(token, next.getAndIncrement());
  }

  /** Returns a name for a part of a draft. */
  public String draft() {
    return "%s-%d-%d".formatted(DRAFT, token, next.getAndIncrement());
  }

  /** Whether the name has this format. Files with other names are left alone. */
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
