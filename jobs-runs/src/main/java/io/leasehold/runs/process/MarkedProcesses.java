package io.leasehold.runs.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the processes of a run by a mark in the environment that each inherits from its parent,
 * including processes that left the group or whose parent has ended.
 */
public final class MarkedProcesses {

  /** The variable that contains the run's name. */
  public static final String MARK = "LEASEHOLD_RUN";

  private static final Path PROC = Path.of("/proc");

  private MarkedProcesses() {}

  /** The living processes of this user; those of other users cannot be read. */
  public static List<Long> of(String run) {
    var mark = MARK + "=" + run;
    try (var processes = Files.newDirectoryStream(PROC, "[1-9]*")) {
      var found = new ArrayList<Long>();
      for (var process : processes) {
        if (has(process, mark)) {
          found.add(Long.parseLong(process.getFileName().toString()));
        }
      }
      return found;
    } catch (IOException e) {
      throw new UncheckedIOException("the processes cannot be listed", e);
    }
  }

  // A process that has ended has no environment any more, even as a zombie.
  private static boolean has(Path process, String mark) {
    try {
      var environment = Files.readString(process.resolve("environ"), StandardCharsets.ISO_8859_1);
      return ("\0" + environment).contains("\0" + mark + "\0");
    } catch (IOException e) {
      return false; // It is another user's, or has just ended.
    }
  }

  /** Kills the processes of a run. */
  public static void kill(String run) {
    of(run).forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
  }
}
