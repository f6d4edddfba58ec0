package io.leasehold.plans.server;

import io.leasehold.plans.process.LastBytes;
import java.io.IOException;
import java.nio.file.Files;

/** Reads the end of a server's log. */
final class ServerLog {

  private static final int MOST = 2_000;

  private ServerLog() {}

  static String last(ServerFolder folder) throws IOException {
    if (!Files.exists(folder.log())) {
      return "";
    }
    return LastBytes.of(folder.log(), MOST);
  }
}
