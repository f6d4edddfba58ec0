package io.leasehold.plans.process;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;

/** Copies a folder with all that is in it. */
public final class CopyFolder {

  private static final boolean IS_LINUX = System.getProperty("os.name").equals("Linux");

  private CopyFolder() {}

  /**
   * Copies, with owners, rights and times. Shares the blocks where the file system can.
   *
   * @param to is not there yet
   */
  public static void copy(Path from, Path to) throws IOException, InterruptedException {
    var copy = IS_LINUX ? Command.of("cp", "-a", "--reflink=auto") : Command.of("cp", "-a");
    and(copy, from, to).succeed();
  }

  /** Returns when all that was written there would outlast a power cut. */
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
