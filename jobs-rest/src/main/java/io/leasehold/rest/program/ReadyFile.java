package io.leasehold.rest.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/**
 * Tells another program that this one is ready: there while it is so, and never by half.
 *
 * @param path of the file
 */
public record ReadyFile(Path path) {

  void write(String jdbcUrl) {
    var half = path.resolveSibling(path.getFileName() + ".half");
    try {
      Files.writeString(
          half,
          "{\"pid\": %d, \"jdbcUrl\": \"%s\"}%n"
              .formatted(ProcessHandle.current().pid(), escaped(jdbcUrl)));
      Files.move(half, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write the ready file " + path, e);
    }
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  /** Also takes away one that a killed process left behind. */
  void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the ready file " + path, e);
    }
  }
}
