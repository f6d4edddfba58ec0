package io.leasehold.runs;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.runs.process.RunFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunFolderTest {

  @TempDir Path folder;

  @Test
  void removesLinksAndNotTheirTargets() throws IOException {
    var outside = Files.createFile(Files.createDirectory(folder.resolve("outside")).resolve("a"));
    var runFolder = Files.createDirectory(folder.resolve("run"));
    Files.createFile(runFolder.resolve("b"));
    Files.createSymbolicLink(runFolder.resolve("c"), outside);
    Files.createSymbolicLink(runFolder.resolve("d"), outside.getParent());

    RunFolder.removeLinks(runFolder);

    assertThat(runFolder.toFile().list()).containsExactly("b");
    assertThat(outside).exists();
  }

  @Test
  void removesAFolderThatIsALink() throws IOException {
    var runFolder = Files.createSymbolicLink(folder.resolve("run"), Path.of("/etc"));

    RunFolder.removeLinks(runFolder);

    assertThat(Files.isSymbolicLink(runFolder)).isFalse();
    assertThat(Path.of("/etc/passwd")).exists();
  }
}
