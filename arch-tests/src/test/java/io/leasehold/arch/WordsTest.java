package io.leasehold.arch;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Words that make readers ask "who?" or "so many what?" are in no text that people read: documents,
 * names, Javadoc, comments, messages and SQL. A tripwire; whether a text is clear, its reader
 * judges.
 */
class WordsTest {

  private static final Pattern UNCLEAR =
      Pattern.compile(
          "\\b(whoever|whom|somebody|nobody|anew|so many|so long|not to be had|in the place of"
              + "|what is over)\\b",
          Pattern.CASE_INSENSITIVE);

  /** A variable, or an alias in SQL, and no word of a sentence. */
  private static final Pattern PRONOUN =
      Pattern.compile("\\bits( ->| =|\\.\\w|::|[,;)])|\\b(var|AS) its\\b");

  /** A user of the operating system, and a method of the JDK. */
  private static final Pattern NAMES = Pattern.compile("\"nobody\"|noBody\\(\\)");

  @Test
  void documentsAreInPlainWords() {
    var files =
        Repository.files(".md")
            .filter(file -> !file.endsWith("CHANGELOG.md"))
            .filter(file -> !file.startsWith(Repository.ROOT.resolve("docs/bench")));

    assertThat(lines(files, UNCLEAR)).isEmpty();
  }

  @Test
  void sourcesAreInPlainWords() {
    var files =
        Stream.concat(Repository.files(".java"), Repository.files(".sql"))
            .filter(file -> !file.endsWith("WordsTest.java"));

    assertThat(lines(files, UNCLEAR)).isEmpty();
  }

  @Test
  void noIdentifierInTestsIsAPronoun() {
    var files =
        Repository.files(".java")
            .filter(file -> !file.toString().contains("/src/main/"))
            .filter(file -> !file.toString().contains("/src/generated/"));

    assertThat(lines(files, PRONOUN)).isEmpty();
  }

  private static List<String> lines(Stream<Path> files, Pattern forbidden) {
    return files.flatMap(file -> lines(file, forbidden)).sorted().toList();
  }

  private static Stream<String> lines(Path file, Pattern forbidden) {
    var name = Repository.ROOT.relativize(file);
    return Repository.read(file)
        .lines()
        .filter(line -> forbidden.matcher(NAMES.matcher(line).replaceAll("")).find())
        .map(line -> name + ": " + line.strip());
  }
}
