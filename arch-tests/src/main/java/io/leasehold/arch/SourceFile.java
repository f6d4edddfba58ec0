package io.leasehold.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A Java source file.
 *
 * @param path the path of the file
 * @param text the contents of the file
 */
public record SourceFile(Path path, String text) {

  /** Reads all Java files in a folder and its subfolders; empty if the folder does not exist. */
  public static List<SourceFile> under(Path folder) {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    try (var files = Files.walk(folder)) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .sorted()
          .map(SourceFile::read)
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot look into " + folder, e);
    }
  }

  private static SourceFile read(Path file) {
    try {
      return new SourceFile(file, Files.readString(file));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  public List<String> lines() {
    return text.lines().toList();
  }
}
