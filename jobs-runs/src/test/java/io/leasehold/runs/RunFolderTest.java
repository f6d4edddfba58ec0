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
  void losesItsLinksAndNothingBehindThem() throws IOException {
    var outside = Files.createFile(Files.createDirectory(folder.resolve("outside")).resolve("a"));
    var its = Files.createDirectory(folder.resolve("its"));
    Files.createFile(its.resolve("b"));
    Files.createSymbolicLink(its.resolve("c"), outside);
    Files.createSymbolicLink(its.resolve("d"), outside.getParent());

    RunFolder.removeLinks(its);

    assertThat(its.toFile().list()).containsExactly("b");
    assertThat(outside).exists();
  }

  @Test
  void isNoLinkItself() throws IOException {
    var its = Files.createSymbolicLink(folder.resolve("its"), Path.of("/etc"));

    RunFolder.removeLinks(its);

    assertThat(Files.isSymbolicLink(its)).isFalse();
    assertThat(Path.of("/etc/passwd")).exists();
  }
}
