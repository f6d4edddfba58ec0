package io.leasehold.bench.limit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/**
 * Measures the server's resource use: processor time of all its processes, including ended ones,
 * and WAL.
 */
public final class Meter {

  private static final String LSN = "SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')";
  private static final long MICROS_PER_TICK = 10_000;

  /** Indexes into /proc/PID/stat, counted from after the name in parentheses. */
  private static final int PARENT = 1;

  private static final int USER_TICKS = 11;
  private static final int CHILDRENS_SYSTEM_TICKS = 14;

  private final BenchServer server;
  private final long postmaster;

  /** Creates a meter of a server on this machine. */
  public Meter(BenchServer server) {
    this.server = server;
    this.postmaster = server.postmaster();
  }

  /**
   * The resources used.
   *
   * @param cpuMicros processor time in microseconds
   * @param walBytes WAL in bytes
   */
  public record Used(long cpuMicros, long walBytes) {

    /** Returns the use since an earlier reading. */
    public Used since(Used before) {
      return new Used(cpuMicros - before.cpuMicros, walBytes - before.walBytes);
    }

    /** Returns the sum of both. */
    public Used plus(Used other) {
      return new Used(cpuMicros + other.cpuMicros, walBytes + other.walBytes);
    }
  }

  /** Reads the total use so far. */
  public Used read() {
    var wal = server.number(LSN);
    try (var all = Files.list(Path.of("/proc"))) {
      var ticks =
          all.filter(path -> path.getFileName().toString().matches("\\d+"))
              .flatMap(Meter::stat)
              .mapToLong(this::ticks)
              .sum();
      return new Used(ticks * MICROS_PER_TICK, wal);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private record Running(long id, List<String> fields) {}

  private static Stream<Running> stat(Path folder) {
    try {
      var stat = Files.readString(folder.resolve("stat"));
      var fields = List.of(stat.substring(stat.lastIndexOf(')') + 2).split(" ", -1));
      return Stream.of(new Running(Long.parseLong(folder.getFileName().toString()), fields));
    } catch (NoSuchFileException e) {
      return Stream.of(); // The process has ended: its parent includes it.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private long ticks(Running process) {
    var isChild = process.fields().get(PARENT).equals(Long.toString(postmaster));
    if (!isChild && process.id() != postmaster) {
      return 0;
    }
    var last = isChild ? USER_TICKS + 1 : CHILDRENS_SYSTEM_TICKS;
    long ticks = 0;
    for (int i = USER_TICKS; i <= last; i++) {
      ticks += Long.parseLong(process.fields().get(i));
    }
    return ticks;
  }
}
