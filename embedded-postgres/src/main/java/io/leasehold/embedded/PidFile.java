package io.leasehold.embedded;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * The file in which a server describes itself in its data, and which it deletes when it ends.
 *
 * @param pid the server's process id; negative for the process of initdb, which accepts no clients
 * @param lines all lines of the file; their order is PostgreSQL's
 */
record PidFile(long pid, List<String> lines) {

  static final String NAME = "postmaster.pid";

  private static final int PORT_LINE = 3;
  private static final int STATUS_LINE = 7;
  private static final Pattern NUMBER = Pattern.compile("-?[0-9]{1,9}");

  /**
   * Reads the file, if it exists.
   *
   * @throws IllegalStateException if it does not start with a process id
   */
  static Optional<PidFile> in(Path data) throws IOException {
    try {
      // The file contains a path in an unknown charset; in this one, all bytes are valid.
      var lines = Files.readAllLines(data.resolve(NAME), StandardCharsets.ISO_8859_1);
      return Optional.of(new PidFile(pidOf(data, lines), lines));
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
  }

  private static long pidOf(Path data, List<String> lines) {
    var pid = lines.isEmpty() ? "" : lines.getFirst().strip();
    if (!NUMBER.matcher(pid).matches()) {
      throw new IllegalStateException(
          "%s must start with a process id, not '%s': delete it if no server runs on these data"
              .formatted(data.resolve(NAME), pid));
    }
    return Long.parseLong(pid);
  }

  /** Returns the port on which the server listens, once it accepts connections. */
  OptionalInt port() {
    return line(STATUS_LINE).equals("ready") && NUMBER.matcher(line(PORT_LINE)).matches()
        ? OptionalInt.of(Integer.parseInt(line(PORT_LINE)))
        : OptionalInt.empty();
  }

  private String line(int index) {
    return index < lines.size() ? lines.get(index).strip() : "";
  }
}
