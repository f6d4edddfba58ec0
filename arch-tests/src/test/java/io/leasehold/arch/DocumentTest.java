package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class DocumentTest {

  private static final Path ROOT = Path.of("..");

  @Test
  void findsClassesInCode() {
    assertThat(saying("`ClaimJobs`, `ClaimJobs.claim` and `new LeaseKeeper(it)`").classes())
        .containsExactly("ClaimJobs", "LeaseKeeper");
  }

  @Test
  void overlooksWhatIsNoNameOfClass() {
    assertThat(saying("ClaimJobs `claimJobs` `JOBS` `Job` `docs/ClaimJobs`").classes()).isEmpty();
  }

  @Test
  void overlooksBlocksOfCode() {
    assertThat(saying("```java\nvar it = `ClaimJobs`;\n```\nand `Attempts`").classes()).isEmpty();
  }

  @Test
  void findsLinksThatLeadNowhere() {
    assertThat(saying("[a](README.md) [b](docs/gone.md#part) [c](https://a.b/c.md)").brokenLinks())
        .containsExactly("docs/gone.md");
  }

  @Test
  void findsPathsWhereNothingIs() {
    var document =
        saying(
            "`README.md` `docs/adr` `docs/gone` `GONE.md` `./check` `./gone` `gradle/gone.gradle`");

    assertThat(document.brokenPaths(ROOT, Set.of()))
        .containsExactly("docs/gone", "GONE.md", "./gone", "gradle/gone.gradle");
  }

  @Test
  void overlooksPathsThatComeLaterOrAreNone() {
    var document = saying("`./data` `classpath:acme/migration` `9/3` `read/write` `a.b.C`");

    assertThat(document.brokenPaths(ROOT, Set.of("./data"))).isEmpty();
  }

  private static Document saying(String text) {
    return new Document(ROOT.resolve("PLANTED.md"), text);
  }
}
