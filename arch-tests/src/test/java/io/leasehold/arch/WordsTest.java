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

  /** A user of the operating system, and a method of the JDK. */
  private static final Pattern NAMES = Pattern.compile("\"nobody\"|noBody\\(\\)");

  private static final Pattern PRONOUN = Pattern.compile("\\b(its|ITS)\\b");

  /** Comments and literals, where "its" is English, except for the whole literal: an SQL alias. */
  private static final Pattern JAVA_PROSE =
      Pattern.compile(
          "(?s)/\\*.*?\\*/|//[^\n]*|\"\"\".*?\"\"\"|\"(?!its\")(?:[^\"\\\\]|\\\\.)*+\""
              + "|'(?:[^'\\\\]|\\\\.)+'");

  private static final Pattern SQL_PROSE = Pattern.compile("--[^\n]*|'[^']*'");

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
  void nothingIsCalledIts() {
    var found = Stream.concat(calledIts(".java", JAVA_PROSE), calledIts(".sql", SQL_PROSE));

    assertThat(found.sorted().toList()).isEmpty();
  }

  private static Stream<String> calledIts(String ending, Pattern prose) {
    return Repository.files(ending)
        .filter(file -> !file.toString().contains("/src/generated/"))
        .flatMap(
            file ->
                prose
                    .matcher(Repository.read(file))
                    .replaceAll("")
                    .lines()
                    .filter(line -> PRONOUN.matcher(line).find())
                    .map(line -> Repository.ROOT.relativize(file) + ": " + line.strip()));
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
