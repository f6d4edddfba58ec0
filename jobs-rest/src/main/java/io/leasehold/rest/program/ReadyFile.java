package io.leasehold.rest.program;

import static java.nio.file.attribute.PosixFilePermissions.asFileAttribute;
import static java.nio.file.attribute.PosixFilePermissions.fromString;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A file that tells other programs that this one is ready: it exists while that is true, and never
 * partially written.
 *
 * @param path the path of the file
 */
public record ReadyFile(Path path) {

  /**
   * Deletes the file that a killed process left, and checks that a new one can be written.
   *
   * @throws IllegalArgumentException if the path cannot be a file's
   */
  void prepare() {
    if (Files.isDirectory(path)) {
      throw new IllegalArgumentException(
          "the ready file must be a file, and '%s' is a folder".formatted(path));
    }
    var folder = Objects.requireNonNull(path.toAbsolutePath().getParent());
    if (!Files.isDirectory(folder)) {
      throw new IllegalArgumentException(
          "the ready file %s must be in a folder that exists".formatted(path));
    }
    delete();
    try {
      Files.writeString(half(), "");
      Files.delete(half());
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  /**
   * Writes the file so that only its owner can read it: it contains tokens.
   *
   * @param url the URL of the HTTP server
   * @param jdbcUrl the URL of the database
   * @param tokens the tokens by tenant name
   */
  void write(String url, String jdbcUrl, Map<String, String> tokens) {
    try {
      Files.deleteIfExists(half());
      Files.createFile(half(), asFileAttribute(fromString("rw-------")));
      Files.writeString(half(), json(url, jdbcUrl, tokens));
      Files.move(half(), path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    } catch (IOException e) {
      throw unwritable(e);
    }
  }

  private static String json(String url, String jdbcUrl, Map<String, String> tokens) {
    var shown =
        tokens.entrySet().stream()
            .map(it -> "\"%s\": \"%s\"".formatted(escaped(it.getKey()), escaped(it.getValue())))
            .collect(Collectors.joining(", ", "{", "}"));
    return "{\"pid\": %d, \"url\": \"%s\", \"jdbcUrl\": \"%s\", \"tokens\": %s}%n"
        .formatted(ProcessHandle.current().pid(), escaped(url), escaped(jdbcUrl), shown);
  }

  private Path half() {
    return path.resolveSibling(path.getFileName() + ".half");
  }

  private UncheckedIOException unwritable(IOException cause) {
    return new UncheckedIOException("cannot write the ready file " + path, cause);
  }

  private static String escaped(String text) {
    return text.replace("\\", "\\\\").replace("\"", "\\\"");
  }

  void delete() {
    try {
      Files.deleteIfExists(path);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot delete the ready file " + path, e);
    }
  }
}
