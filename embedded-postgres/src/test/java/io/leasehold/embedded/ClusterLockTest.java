package io.leasehold.embedded;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ClusterLockTest {

  @TempDir private Path folder;

  @Test
  void outlivesARefusalInItsOwnProcess() throws Exception {
    try (var _ = ClusterLock.of(folder)) {
      var second = ClusterLock.ifFree(folder);

      assertThat(second).isEmpty();
      assertThat(seenByAnotherProcess()).isEqualTo(Asker.TAKEN);
    }
  }

  @Test
  void outlivesARefusalUnderAnotherName() throws Exception {
    var other = Files.createSymbolicLink(folder.resolve("link"), folder);
    try (var _ = ClusterLock.of(folder)) {
      var second = ClusterLock.ifFree(other);

      assertThat(second).isEmpty();
      assertThat(seenByAnotherProcess()).isEqualTo(Asker.TAKEN);
    }
  }

  @Test
  void isFreeAfterItsClose() throws Exception {
    ClusterLock.of(folder).close();

    assertThat(seenByAnotherProcess()).isEqualTo(Asker.FREE);
    try (var again = ClusterLock.of(folder)) {
      assertThat(again).isNotNull();
    }
  }

  /** Asks it, and waits for its end, by which it has freed what it took. */
  private String seenByAnotherProcess() throws IOException, InterruptedException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classPath = System.getProperty("java.class.path");
    var command = List.of(java, "-cp", classPath, Asker.class.getName(), folder.toString());
    var process = new ProcessBuilder(command).redirectError(Redirect.INHERIT).start();
    try (var lines = process.inputReader(StandardCharsets.UTF_8)) {
      var answer = lines.readLine();
      process.waitFor();
      return answer;
    }
  }

  /** The other process. */
  static final class Asker {

    static final String FREE = "free";
    static final String TAKEN = "taken";

    private Asker() {}

    public static void main(String[] args) {
      System.out.println(ClusterLock.ifFree(Path.of(args[0])).isPresent() ? FREE : TAKEN);
    }
  }
}
