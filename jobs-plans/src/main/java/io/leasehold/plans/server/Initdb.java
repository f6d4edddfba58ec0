package io.leasehold.plans.server;

import java.util.List;

/** How new data are made. */
final class Initdb {

  private Initdb() {}

  // Whoever reaches the socket is trusted: its folder is closed to everybody else. The collation is
  // the same on every machine, so that indexes in a snapshot hold wherever it is restored.
  static List<String> words(String data) {
    return List.of(
        "-D",
        data,
        "-U",
        "postgres",
        "-E",
        "UTF8",
        "--no-locale",
        "--auth-local=trust",
        "--auth-host=reject",
        "--no-sync");
  }
}
