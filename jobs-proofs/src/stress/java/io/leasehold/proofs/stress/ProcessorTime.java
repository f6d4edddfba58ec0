package io.leasehold.proofs.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** How long processes had a processor, as the kernel says. */
final class ProcessorTime {

  private static final long NANOS_PER_TICK = 10_000_000;

  private ProcessorTime() {}

  /** Of one process, in the nanoseconds that its scheduler counts; zero if it is gone. */
  static long nanosOf(long pid) {
    return Long.parseLong(read(pid, "schedstat", "0").split(" ", -1)[0].strip());
  }

  /** Of children that the process has seen end, in whole ticks. */
  static long nanosOfEndedChildren(long pid) {
    var stat = read(pid, "stat", "");
    // The name, which stands in brackets, may have anything in it.
    var words = stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(words[13]) + Long.parseLong(words[14])) * NANOS_PER_TICK;
  }

  private static String read(long pid, String file, String otherwise) {
    try {
      return Files.readString(Path.of("/proc", Long.toString(pid), file));
    } catch (IOException e) {
      return otherwise; // It has ended meanwhile.
    }
  }
}
