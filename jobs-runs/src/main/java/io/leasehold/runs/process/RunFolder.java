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
 * What is on disk of one run:
 *
 * <pre>
 * work/      where it begins, with its files
 * outputs/   what it leaves
 * log        what it writes
 * started/   made by the run itself as its first act: whoever finds it there starts nothing
 * process    which process it is
 * exit       what it ended with
 * </pre>
 *
 * @param path of the folder
 */
public record RunFolder(Path path) {

  private static final Set<PosixFilePermission> OURS =
      Set.of(
          PosixFilePermission.OWNER_READ,
          PosixFilePermission.OWNER_WRITE,
          PosixFilePermission.OWNER_EXECUTE);

  /** Where it begins. */
  public Path work() {
    return path.resolve("work");
  }

  /** What it leaves. */
  public Path outputs() {
    return path.resolve("outputs");
  }

  public boolean exists() {
    return Files.isDirectory(path);
  }

  /** Has it be another, whole and at once; or removes it, if there is such a one already. */
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

  /** Takes it away, at once, to be another; nothing if somebody else has. */
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

  /** Which process it is, once it has said so. */
  public Optional<LivingProcess> process() throws IOException {
    return LivingProcess.read(path.resolve("process"));
  }

  /** What it ended with. */
  public OptionalInt exitCode() throws IOException {
    try {
      return OptionalInt.of(Integer.parseInt(Files.readString(path.resolve("exit")).strip()));
    } catch (NoSuchFileException e) {
      return OptionalInt.empty();
    }
  }

  /**
   * Makes it, with the run's files. Each appears whole, so that another who makes the same at the
   * same time does no harm.
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

  /** Makes the folder, with those above it that are missing, for this user alone. */
  public void make() throws IOException {
    makePrivate(path);
  }

  /** Makes a folder for this user alone, unless it is there. */
  public static void makePrivate(Path folder) throws IOException {
    if (!Files.isDirectory(folder)) {
      Files.createDirectories(folder, PosixFilePermissions.asFileAttribute(OURS));
    }
  }

  /** The log from a byte on; nothing as long as there is none. */
  public InputStream log(long from) throws IOException {
    return read(path.resolve("log"), from);
  }

  /** Reads a file from a byte on, or nothing if it is not there. */
  public static InputStream read(Path file, long from) throws IOException {
    try {
      return Channels.newInputStream(FileChannel.open(file).position(from));
    } catch (NoSuchFileException e) {
      return InputStream.nullInputStream();
    }
  }

  /** Deletes it, and follows no links. */
  public void delete() throws IOException {
    delete(path);
  }

  /** Deletes a folder with all that is in it, if it is there; also while another does the same. */
  public static void delete(Path folder) throws IOException {
    Files.walkFileTree(
        folder,
        new SimpleFileVisitor<>() {
          @Override
          public FileVisitResult preVisitDirectory(Path its, BasicFileAttributes attributes)
              throws IOException {
            open(its);
            return FileVisitResult.CONTINUE;
          }

          @Override
          public FileVisitResult visitFileFailed(Path its, IOException failure) throws IOException {
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
          public FileVisitResult postVisitDirectory(Path its, @Nullable IOException failure)
              throws IOException {
            Files.deleteIfExists(its);
            return FileVisitResult.CONTINUE;
          }
        });
  }

  /** Removes all symbolic links in a folder, and it if it is one itself. */
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

  // The run may have locked what is its own.
  private static void open(Path folder) throws IOException {
    try {
      Files.setPosixFilePermissions(folder, OURS);
    } catch (NoSuchFileException e) { // Deleted by another: there is nothing to look into.
      return;
    }
  }
}
