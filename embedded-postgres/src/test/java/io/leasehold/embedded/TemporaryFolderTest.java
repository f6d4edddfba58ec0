package io.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TemporaryFolderTest {

  private final String unique = UUID.randomUUID().toString();
  private TemporaryFolder first;

  @BeforeEach
  void create() {
    first = TemporaryFolder.create();
  }

  @AfterEach
  void delete() {
    first.delete();
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold-", "leasehold-embedded-server-"})
  void leavesForeignFoldersAlone(String prefix) throws IOException {
    var foreign = Files.createDirectory(sibling(prefix));
    Files.writeString(foreign.resolve("notes"), "not ours");
    makeOld(foreign);
    try {
      TemporaryFolder.create().delete();

      assertThat(foreign.resolve("notes")).exists();
    } finally {
      TemporaryFolder.delete(foreign);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"leasehold-", "leasehold-embedded-server-"})
  void leavesFilesAlone(String prefix) throws IOException {
    var file = Files.writeString(sibling(prefix), "not ours");
    makeOld(file);
    try {
      TemporaryFolder.create().delete();

      assertThat(file).exists();
    } finally {
      Files.delete(file);
    }
  }

  @Test
  void deletesWhatAKilledProcessLeft() throws IOException {
    var left = Files.createDirectory(sibling("leasehold-embedded-server-"));
    Files.createFile(left.resolve("lock"));
    Files.createFile(left.resolve("password"));
    makeOld(left);

    TemporaryFolder.create().delete();

    assertThat(left).doesNotExist();
  }

  @Test
  void isCreatedEvenIfTheSweepFails() throws IOException {
    var left = Files.createDirectory(sibling("leasehold-embedded-server-"));
    Files.createDirectory(left.resolve("lock"));
    Files.createFile(left.resolve("password"));
    makeOld(left);
    try {
      var second = TemporaryFolder.create();

      assertThat(second.path()).exists();
      second.delete();
    } finally {
      TemporaryFolder.delete(left);
    }
  }

  private Path sibling(String prefix) {
    return first.path().resolveSibling(prefix + unique);
  }

  private void makeOld(Path entry) throws IOException {
    var created = Files.getLastModifiedTime(first.path()).toInstant();
    Files.setLastModifiedTime(entry, FileTime.from(created.minus(Duration.ofHours(1))));
  }
}
