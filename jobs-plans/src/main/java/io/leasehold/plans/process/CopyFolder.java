package io.leasehold.plans.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;

/** Copies a folder with all of its contents. */
public final class CopyFolder {

  private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");

  private CopyFolder() {}

  /**
   * Copies a folder, with owners, permissions and times. Shares blocks where the file system can.
   *
   * @param to the target, which must not exist yet
   */
  public static void copy(Path from, Path to) throws IOException, InterruptedException {
    var copy = IS_LINUX ? Command.of("cp", "-a", "--reflink=auto") : Command.of("cp", "-a");
    and(copy, from, to).succeed();
  }

  /** Returns when everything written to the folder would survive a power failure. */
  public static void sync(Path folder) throws IOException, InterruptedException {
    (IS_LINUX ? and(Command.of("sync", "-f"), folder) : Command.of("sync")).succeed();
  }

  private static Command and(Command command, Path... paths) {
    var words = new ArrayList<>(command.words());
    for (var path : paths) {
      words.add(path.toAbsolutePath().toString());
    }
    return Command.of(words);
  }
}
