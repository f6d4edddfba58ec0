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
  void skipsCodeThatIsNoClassName() {
    assertThat(saying("ClaimJobs `claimJobs` `JOBS` `Job` `docs/ClaimJobs`").classes()).isEmpty();
  }

  @Test
  void skipsBlocksOfCode() {
    assertThat(saying("```java\nvar it = `ClaimJobs`;\n```\nand `Attempts`").classes()).isEmpty();
  }

  @Test
  void findsBrokenLinks() {
    assertThat(saying("[a](README.md) [b](docs/gone.md#part) [c](https://a.b/c.md)").brokenLinks())
        .containsExactly("docs/gone.md");
  }

  @Test
  void findsPathsThatDoNotExist() {
    var document =
        saying(
            "`README.md` `docs/adr` `docs/gone` `GONE.md` `./check` `./gone` `gradle/gone.gradle`");

    assertThat(document.brokenPaths(ROOT, Set.of()))
        .containsExactly("docs/gone", "GONE.md", "./gone", "gradle/gone.gradle");
  }

  @Test
  void skipsPathsThatARunCreatesAndTextThatIsNoPath() {
    var document = saying("`./data` `classpath:acme/migration` `9/3` `read/write` `a.b.C`");

    assertThat(document.brokenPaths(ROOT, Set.of("./data"))).isEmpty();
  }

  @Test
  void comparesExamplesWithoutCommentsAndSpace() {
    var text = "\"\"\"\n  \"a\" // text \\\n  /* text */\"\"\"";
    var page =
        saying(
            "```java\nshow(\"// no \\\" comment\", '\"'); // one\n/* one\n * more */ show(%s);\n```\n"
                .formatted(text));

    assertThat(page.examples())
        .containsExactly("show(\"//no\\\"comment\",'\"');show(\"\"\"\"a\"//text\\/*text*/\"\"\");");
  }

  @Test
  void findsTestsThatAreNotLinked() {
    var here = "src/test/java/io/leasehold/arch/DocumentTest.java";
    var page =
        new Document(
            Path.of("PLANTED.md"),
            """
            `DocumentTest` [`DocumentTest`](%1$s) [`TidyTest`](%1$s) [`GoneTest`](GoneTest.java)
            [`DocumentTest.findsTestsThatAreNotLinked`](%1$s) [`DocumentTest.findsNone`](%1$s)
            [`TidyTest.isNot`] [`DocumentTest.findsClassesInCode`]

            [`DocumentTest.findsClassesInCode`]: %1$s
            """
                .formatted(here));

    assertThat(page.unlinkedTests())
        .containsExactly(
            "`DocumentTest`",
            "[`TidyTest`",
            "[`GoneTest`",
            "[`DocumentTest.findsNone`",
            "[`TidyTest.isNot`");
  }

  private static Document saying(String text) {
    return new Document(ROOT.resolve("PLANTED.md"), text);
  }
}
