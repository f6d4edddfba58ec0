package io.leasehold.plans.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;

/** What a server said. */
final class ServerLog {

  private static final int MOST = 2_000;

  private ServerLog() {}

  static String last(ServerFolder folder) throws IOException {
    if (!Files.exists(folder.log())) {
      return "";
    }
    var said = new String(Files.readAllBytes(folder.log()), StandardCharsets.UTF_8).strip();
    return said.substring(Math.max(0, said.length() - MOST));
  }
}
