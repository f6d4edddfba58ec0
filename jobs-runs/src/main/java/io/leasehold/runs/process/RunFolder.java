package io.leasehold.runs.process;

import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The files of one run on disk.
 *
 * <pre>
 * work/      the working folder, with the run's files
 * outputs/   the files it leaves
 * log        its log
 * started/   created by the run itself as its first act: if it exists, nothing is started
 * process    the identity of its process
 * exit       its exit code
 * </pre>
 *
 * @param path the path of the folder
 */
public record RunFolder(Path path) {

  private static final Set<PosixFilePermission> OURS =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  /** The working folder. */
  public Path work() {
    return path.resolve("work");
  }

  /** The folder of outputs. */
  public Path outputs() {
    return path.resolve("outputs");
  }

  public boolean exists() {
    return Files.isDirectory(path);
  }

  /**
   * Renames this folder to {@code other}, atomically; deletes this folder if the other one exists
   * already.
   */
  public void become(RunFolder other) throws IOException {
    try {
      Files.move(path, other.path, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      if (!other.exists()) {
        throw e;
      }
      delete();
    }
  }

  /**
   * Moves this folder away to {@code other}, atomically; does nothing if another process already
   * has.
   */
  public void leave(RunFolder other) throws IOException {
    try {
      Files.move(path, other.path, StandardCopyOption.ATOMIC_MOVE);
    } catch (NoSuchFileException e) {
      return;
    }
  }

  public boolean isStarted() {
    return Files.exists(path.resolve("started"));
  }

  /** Returns the process, once it has recorded its identity. */
  public Optional<LivingProcess> process() throws IOException {
    return LivingProcess.read(path.resolve("process"));
  }

  /** Returns the exit code. */
  public OptionalInt exitCode() throws IOException {
    try {
      return OptionalInt.of(Integer.parseInt(Files.readString(path.resolve("exit")).strip()));
    } catch (NoSuchFileException e) {
      return OptionalInt.empty();
    }
  }

  /**
   * Creates the folder with the run's files. Each file appears whole, so that another process that
   * creates the same files at the same time does no harm.
   */
  public void prepare(Map<String, String> files) throws IOException {
    make();
    Files.createDirectories(work());
    Files.createDirectories(outputs());
    for (var file : files.entrySet()) {
      var to = work().resolve(file.getKey());
      Files.createDirectories(to.getParent());
      var from = path.resolve("new-" + UUID.randomUUID());
      Files.writeString(from, file.getValue());
      Files.move(from, to, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Creates the folder and its missing parents, for this user alone. */
  public void make() throws IOException {
    makePrivate(path);
  }

  /** Creates a folder for this user alone, unless it exists. */
  public static void makePrivate(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OURS));
    }
  }

  /** Returns the log from a byte on; empty while there is no log. */
  public InputStream log(long from) throws IOException {
    return read(path.resolve("log"), from);
  }

  /** Reads a file from a byte on; empty if it does not exist. */
  public static InputStream read(Path file, long from) throws IOException {
    try {
      return Channels.newInputStream(FileChannel.open(file).position(from));
    } catch (NoSuchFileException e) {
      return InputStream.nullInputStream();
    }
  }

  /** Deletes the folder without following links. */
  public void delete() throws IOException {
    delete(path);
  }

  /**
   * Deletes a folder with all of its contents, if it exists; safe if another process does the same.
   */
  public static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes)
              throws IOException {
            open(directory);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path path, IOException failure)
              throws IOException {
            if (!(failure instanceof NoSuchFileException)) {
              throw failure;
            }
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
              throws IOException {
            Files.deleteIfExists(file);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException failure)
              throws IOException {
            Files.deleteIfExists(directory);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Deletes all symbolic links in a folder, and the folder itself if it is one. */
  public static void removeLinks(Path folder) throws IOException {
    if (!Files.exists(folder, LinkOption.NOFOLLOW_LINKS)) {
      return;
    }
    try (var all = Files.walk(folder)) {
      for (var link : all.filter(Files::isSymbolicLink).toList()) {
        Files.delete(link);
      }
    }
  }

  // The run may have removed permissions from its own folders.
  private static void open(Path folder) throws IOException {
    try {
      Files.setPosixFilePermissions(folder, OURS);
    } catch (NoSuchFileException e) { // Another process deleted it: there is nothing to visit.
      return;
    }
  }
}
