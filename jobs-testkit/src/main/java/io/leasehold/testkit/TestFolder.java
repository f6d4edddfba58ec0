package io.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A folder that exists while a test runs.
 *
 * @param path the path of the folder
 */
record TestFolder(Path path) {

  static TestFolder create() {
    try {
      return new TestFolder(Files.createTempDirectory("leasehold-test-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for files of jobs", e);
    }
  }

  /** Deletes the folder and its contents. */
  void remove() {
    try (var all = Files.walk(path)) {
      for (var each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(each);
      }
    } catch (IOException e) {
      throw new UncheckedIOException("cannot remove the folder of files of jobs", e);
    }
  }
}
