package io.leasehold.runs.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Identifies a process permanently. The kernel reuses process ids; together with the start time,
 * and the boot from which that time is counted, the id is unique.
 *
 * @param pid the process id
 * @param startedAt the start time in ticks of the kernel's clock since the boot
 * @param boot the kernel's id of the boot
 */
public record LivingProcess(long pid, long startedAt, String boot) {

  private static final Path PROC = Path.of("/proc");
  private static final Path BOOT = PROC.resolve("sys/kernel/random/boot_id");

  /** Indexes of the state and the start time among the words after the command's name. */
  private static final int STATE = 0;

  private static final int STARTED_AT = 19;

  /** Whether this system reports enough about its processes. */
  public static boolean canBeKnown() {
    return Files.isReadable(BOOT) && Files.isReadable(PROC.resolve("self/stat"));
  }

  /** Reads what the process recorded about itself; empty if it has not yet. */
  static Optional<LivingProcess> read(Path file) throws IOException {
    List<String> lines;
    try {
      lines = Files.readAllLines(file);
    } catch (NoSuchFileException e) {
      return Optional.empty();
    }
    return lines.size() == 3
        ? Optional.of(
            new LivingProcess(
                Long.parseLong(lines.get(0)), Long.parseLong(lines.get(1)), lines.get(2)))
        : Optional.empty();
  }

  /** Whether the process still runs; a zombie does not. */
  public boolean isAlive() throws IOException {
    if (!Files.readString(BOOT).strip().equals(boot)) {
      return false;
    }
    String stat;
    try {
      stat = Files.readString(PROC.resolve(pid + "/stat"));
    } catch (IOException e) { // It may end while it is read; running out of open files is not that.
      if (Files.exists(PROC.resolve(Long.toString(pid)))) {
        throw e;
      }
      return false;
    }
    // The command's name is in parentheses, and may contain any character.
    var words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    return words.length > STARTED_AT
        && Long.parseLong(words[STARTED_AT]) == startedAt
        && !words[STATE].equals("Z")
        && !words[STATE].equals("X");
  }

  /** Sends a signal to the process group that this process leads. */
  public void signalGroup(String signal) throws IOException {
    new ProcessBuilder("sh", "-c", "kill -s \"$0\" -- \"-$1\"", signal, Long.toString(pid))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .onExit()
        .join();
  }
}
