package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What the documents name is there. */
class DocumentsTest {

  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)[^)]*\\)");

  // In backquotes: the name of a class, as in `ScopedRows` and `TransactionsTest`.
  private static final Pattern CLASS =
      Pattern.compile("`([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)(?:\\.[a-zA-Z]+)?`");

  @Test
  void linksLeadToFiles() {
    assertThat(documents())
        .hasSizeGreaterThan(15)
        .allSatisfy(
            document ->
                assertThat(found(LINK, document))
                    .filteredOn(link -> !link.contains("://"))
                    .allSatisfy(link -> assertThat(document.resolveSibling(link)).exists()));
  }

  @Test
  void architectureNamesClassesThatAreThere() {
    var named = found(CLASS, ROOT.resolve("ARCHITECTURE.md"));

    assertThat(named).hasSizeGreaterThan(30);
    assertThat(classes()).containsAll(named);
  }

  @Test
  void decisionsNameClassesThatAreThere() {
    var named =
        documents().stream()
            .filter(document -> document.startsWith(ROOT.resolve("docs/adr")))
            .flatMap(document -> found(CLASS, document).stream())
            .toList();

    assertThat(named).hasSizeGreaterThan(5);
    assertThat(classes()).containsAll(named);
  }

  private static List<String> found(Pattern pattern, Path document) {
    return pattern.matcher(read(document)).results().map(DocumentsTest::first).distinct().toList();
  }

  private static String first(MatchResult match) {
    return match.group(1);
  }

  private static List<Path> documents() {
    return files(".md");
  }

  private static Set<String> classes() {
    return files(".java").stream()
        .map(file -> file.getFileName().toString().replace(".java", ""))
        .collect(Collectors.toSet());
  }

  private static List<Path> files(String ending) {
    try (Stream<Path> all = Files.walk(ROOT)) {
      return all.filter(file -> file.toString().endsWith(ending))
          .filter(file -> !ROOT.relativize(file).toString().matches(".*(build|data)/.*"))
          .toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
