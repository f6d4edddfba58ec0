package io.leasehold.runs.docker;

import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;

/**
 * The variables of a container, in a file for Docker's client that only this user can read. The
 * client obeys its environment, and every user of the machine can list its command line, so the
 * variables are in neither. Closing deletes the file.
 *
 * @param path the path of the file
 */
public record VariablesFile(Path path) implements AutoCloseable {

  /** The client rejects longer lines. */
  private static final int LINE_MAX = 65_535;

  /**
   * Writes the variables.
   *
   * @param folder a folder that only this user can enter; the file is removed with it if the
   *     process is killed
   */
  public static VariablesFile write(Path folder, Map<String, String> variables) throws IOException {
    var rights = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    var file = new VariablesFile(Files.createTempFile(folder, "variables-", "", rights));
    try {
      Files.write(file.path, variables.entrySet().stream().map(VariablesFile::line).toList());
      return file;
    } catch (IOException e) {
      file.close();
      throw e;
    }
  }

  private static String line(Map.Entry<String, String> variable) {
    return variable.getKey() + "=" + variable.getValue();
  }

  /**
   * Checks that each variable fits into one line of the file.
   *
   * @throws IllegalArgumentException if a value has a line break, a NUL or an unpaired surrogate,
   *     or is too long
   */
  public static void require(Map<String, String> variables) {
    variables.entrySet().forEach(VariablesFile::require);
  }

  private static void require(Map.Entry<String, String> variable) {
    var name = variable.getKey();
    if (variable.getValue().chars().anyMatch(it -> it == '\n' || it == '\r' || it == '\0')) {
      throw refused(name, "has a line break or a NUL");
    }
    var bytes = length(name, line(variable));
    if (bytes > LINE_MAX) {
      throw refused(name, "has %d bytes with its name, and %d fit".formatted(bytes, LINE_MAX));
    }
  }

  private static int length(String name, String line) {
    try {
      return StandardCharsets.UTF_8.newEncoder().encode(CharBuffer.wrap(line)).limit();
    } catch (CharacterCodingException e) {
      throw refused(name, "is not valid Unicode");
    }
  }

  private static IllegalArgumentException refused(String name, String why) {
    return new IllegalArgumentException(
        "variable %s of a container %s: pass the value as a file, with RunSpec.file"
            .formatted(name, why));
  }

  @Override
  public void close() throws IOException {
    Files.deleteIfExists(path);
  }
}
