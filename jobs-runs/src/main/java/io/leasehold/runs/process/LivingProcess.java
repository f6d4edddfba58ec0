package io.leasehold.runs.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * A process, known for good. A number of a process is given again to another; with the moment at
 * which the kernel started it, and the boot since when that is counted, it is nobody else's.
 *
 * @param pid its number
 * @param startedAt ticks of the kernel's clock since the boot
 * @param boot the kernel's id of the boot
 */
public record LivingProcess(long pid, long startedAt, String boot) {

  private static final Path PROC = Path.of("/proc");
  private static final Path BOOT = PROC.resolve("sys/kernel/random/boot_id");

  /** Where among the words behind the command's name its state is, and when it was started. */
  private static final int STATE = 0;

  private static final int STARTED_AT = 19;

  /** Whether this system tells so much of its processes. */
  public static boolean canBeKnown() {
    return Files.isReadable(BOOT) && Files.isReadable(PROC.resolve("self/stat"));
  }

  /** Reads what the process wrote of itself; nothing if it has not yet. */
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

  /** Whether it still runs; one that has ended and waits for its parent does not. */
  public boolean isAlive() throws IOException {
    if (!Files.readString(BOOT).strip().equals(boot)) {
      return false;
    }
    String stat;
    try {
      stat = Files.readString(PROC.resolve(pid + "/stat"));
    } catch (IOException e) { // When it ends while it is read; but not for want of open files.
      if (Files.exists(PROC.resolve(Long.toString(pid)))) {
        throw e;
      }
      return false;
    }
    // The command's name stands in parentheses, and may have any character.
    var words = stat.substring(stat.lastIndexOf(')') + 1).strip().split(" ", -1);
    return words.length > STARTED_AT
        && Long.parseLong(words[STARTED_AT]) == startedAt
        && !words[STATE].equals("Z")
        && !words[STATE].equals("X");
  }

  /** Sends a signal to it and all of its group, of which it is the first. */
  public void signalGroup(String signal) throws IOException {
    new ProcessBuilder("sh", "-c", "kill -s \"$0\" -- \"-$1\"", signal, Long.toString(pid))
        .redirectErrorStream(true)
        .redirectOutput(ProcessBuilder.Redirect.DISCARD)
        .start()
        .onExit()
        .join();
  }
}
