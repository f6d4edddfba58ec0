package io.leasehold.plans.server;

import java.util.List;

/** The arguments that initialise a server's data. */
final class Initdb {

  private Initdb() {}

  // Every client that reaches the socket is trusted: its folder is closed to all other users. The
  // collation is the same on every machine, so that indexes in a snapshot are valid wherever it is
  // restored.
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
