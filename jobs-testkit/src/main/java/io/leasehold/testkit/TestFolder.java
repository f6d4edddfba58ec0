package io.leasehold.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * A folder for as long as a test lasts.
 *
 * @param path where
 */
record TestFolder(Path path) {

  static TestFolder create() {
    try {
      return new TestFolder(Files.createTempDirectory("leasehold-test-"));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot make a folder for files of jobs", e);
    }
  }

  /** Removes it with all that is in it. */
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
