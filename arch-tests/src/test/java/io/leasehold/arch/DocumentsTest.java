package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What the documents name is there. */
class DocumentsTest {

  /** Classes of others. */
  private static final Set<String> OTHERS =
      Set.of(
          "ArchRule",
          "CustomField",
          "DataAccessException",
          "ExitOnOutOfMemoryError",
          "GlobalOpenTelemetry",
          "HttpClient",
          "IllegalArgumentException",
          "IllegalStateException",
          "InetAddressResolverProvider",
          "MeterFilter",
          "MeterRegistry",
          "NullMarked",
          "OutOfMemoryError",
          "RuntimeException");

  /** Paths that are there once the program has run, or a migration is written. */
  private static final Set<String> COME_LATER =
      Set.of(
          "./data",
          "build/dist/leasehold-VERSION.tar.gz",
          "migrations/src/main/resources/io/leasehold/migrations/sql/V0NN__what_changes.sql");

  private static final Pattern TYPE =
      Pattern.compile("\\b(?:class|interface|record|enum) ([A-Z]\\w+)");

  /** History names tests as they were. */
  private static final Set<Path> HISTORY =
      Set.of(
          Repository.ROOT.resolve("CHANGELOG.md"),
          Repository.ROOT.resolve("docs/adr"),
          Repository.ROOT.resolve("docs/bench"));

  /** Every source of this repository is compiled, so every example is. */
  @Test
  void everyExampleIsPartOfACompiledSource() {
    var sources =
        Repository.files(".java").map(file -> Document.codeOnly(Repository.read(file))).toList();
    var pages = documents().stream().filter(page -> !page.examples().isEmpty()).toList();

    assertThat(pages).extracting(Document::path).contains(Repository.ROOT.resolve("README.md"));
    assertThat(pages).flatExtracting(Document::examples).hasSizeGreaterThan(80);
    assertThat(pages)
        .allSatisfy(
            it ->
                assertThat(it.examples())
                    .as(it.path().toString())
                    .allMatch(
                        example -> sources.stream().anyMatch(source -> source.contains(example)),
                        "stands in a source, word for word but for comments"));
  }

  @Test
  void namesOfTestsLinkToTheTests() {
    var present =
        documents().stream()
            .filter(page -> HISTORY.stream().noneMatch(page.path()::startsWith))
            .toList();

    assertThat(present)
        .hasSizeGreaterThan(20)
        .allSatisfy(page -> assertThat(page.unlinkedTests()).as(page.path().toString()).isEmpty());
  }

  @Test
  void linksPointToFiles() {
    assertThat(documents())
        .hasSizeGreaterThan(20)
        .allSatisfy(it -> assertThat(it.brokenLinks()).as(it.path().toString()).isEmpty());
  }

  @Test
  void pathsPointToFiles() {
    assertThat(documents())
        .allSatisfy(
            it ->
                assertThat(it.brokenPaths(Repository.ROOT, COME_LATER))
                    .as(it.path().toString())
                    .isEmpty());
  }

  /** A change log and a measurement may name what is gone. */
  @Test
  void classesInDocumentsExist() {
    var known = types();
    var present =
        documents().stream()
            .filter(it -> !it.path().endsWith("CHANGELOG.md"))
            .filter(it -> !it.path().startsWith(Repository.ROOT.resolve("docs/bench")))
            .toList();

    assertThat(present).flatExtracting(Document::classes).hasSizeGreaterThan(50);
    assertThat(present)
        .allSatisfy(
            it ->
                assertThat(it.classes())
                    .as(it.path().toString())
                    .filteredOn(name -> !OTHERS.contains(name))
                    .allMatch(known::contains, "is a type of this repository"));
  }

  @Test
  void allowedForeignClassesAreInUse() {
    assertThat(documents()).flatExtracting(Document::classes).containsAll(OTHERS);
  }

  private static List<Document> documents() {
    return Repository.files(".md").map(file -> new Document(file, Repository.read(file))).toList();
  }

  private static Set<String> types() {
    return Repository.files(".java")
        .flatMap(file -> TYPE.matcher(Repository.read(file)).results())
        .map(match -> match.group(1))
        .collect(Collectors.toSet());
  }
}
