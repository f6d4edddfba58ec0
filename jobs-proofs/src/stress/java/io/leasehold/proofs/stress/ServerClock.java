package io.leasehold.proofs.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** The wall clock of a server, which a proof puts forward and back while it runs. */
final class ServerClock {

  private final Path file;

  /** One that is right, kept in a file that the server's processes read. */
  ServerClock(Path folder) throws IOException {
    file = folder.resolve("clock");
    set(Duration.ZERO);
  }

  /** What a server is given so that it reads this clock: each time that it asks. */
  Map<String, String> environment() {
    var environment = new HashMap<>(Skew.FAST.environment());
    environment.remove("FAKETIME");
    environment.put("FAKETIME_TIMESTAMP_FILE", file.toString());
    environment.put("FAKETIME_NO_CACHE", "1");
    return environment;
  }

  /** Has it go ahead of the true time by this. */
  void set(Duration ahead) throws IOException {
    var next = file.resolveSibling("clock.next");
    Files.writeString(next, "%+d%n".formatted(ahead.toSeconds()));
    Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
