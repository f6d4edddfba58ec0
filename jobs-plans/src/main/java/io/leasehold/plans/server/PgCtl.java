package io.leasehold.plans.server;

import java.time.Duration;
import java.util.List;

/** Arguments of {@code pg_ctl}, which returns when the server has started or stopped. */
final class PgCtl {

  static final String PROGRAM = "pg_ctl";

  private PgCtl() {}

  static List<String> start(ServerFolder folder, Duration most) {
    return List.of(
        "-D", data(folder), "-l", folder.log().toString(), "-w", "-t", seconds(most), "start");
  }

  /** A fast shutdown: sessions are ended, and a checkpoint is written. */
  static List<String> stop(ServerFolder folder, Duration most) {
    return List.of("-D", data(folder), "-m", "fast", "-w", "-t", seconds(most), "stop");
  }

  /** An immediate shutdown: no checkpoint is written, and the next start recovers the data. */
  static List<String> stopAtOnce(ServerFolder folder, Duration most) {
    return List.of("-D", data(folder), "-m", "immediate", "-w", "-t", seconds(most), "stop");
  }

  private static String data(ServerFolder folder) {
    return folder.data().toString();
  }

  private static String seconds(Duration most) {
    return Long.toString(Math.max(1, most.toSeconds()));
  }
}
