package io.leasehold.arch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A document in Markdown, and what it names.
 *
 * @param path where it stands
 * @param text what it says
 */
record Document(Path path, String text) {

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]+)[^)]*\\)");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern JAVA = Pattern.compile("(?ms)^ *```java\n(.*?)^ *```$");
  private static final Pattern TEXT_OR_COMMENT =
      Pattern.compile(
          "(\"\"\"[^\\\\\"]*+(?:(?:\\\\[\\s\\S]|\"(?!\"\"))[^\\\\\"]*+)*+\"\"\"" // a text block
              + "|\"[^\"\\\\\n]*+(?:\\\\.[^\"\\\\\n]*+)*+\"" // a string
              + "|'(?:[^'\\\\]|\\\\.[^']*)')" // a character
              + "|/\\*[\\s\\S]*?\\*/|//[^\\n]*");
  private static final Pattern TEST = Pattern.compile("(\\[)?`([A-Z]\\w*Test)(?:\\.(\\w+))?`");
  private static final Pattern LINK_OF_TEXT = Pattern.compile("\\G\\](?:\\(([^)#]+)\\))?");
  private static final Pattern CODE = Pattern.compile("`([^`]+)`");
  private static final Pattern CLASS =
      Pattern.compile("(?<![\\w$/.-])([A-Z][a-z0-9]+(?:[A-Z][a-z0-9]+)+)\\b(?![-/])");
  private static final Pattern PATH = Pattern.compile("(?:\\./)?\\.?\\w[\\w.-]*(?:/[\\w.-]+)*/?");
  private static final Pattern FILE = Pattern.compile(".*\\.(?:md|java|gradle)");

  /** The names of classes in code within a sentence; a block of code may show anybody's. */
  List<String> classes() {
    return code()
        .flatMap(code -> CLASS.matcher(code).results())
        .map(match -> match.group(1))
        .distinct()
        .toList();
  }

  /** Where it leads, in this repository, and nothing is. */
  List<String> brokenLinks() {
    return LINK.matcher(text)
        .results()
        .map(Document::first)
        .filter(link -> !link.contains("://"))
        .filter(link -> !Files.exists(path.resolveSibling(link)))
        .toList();
  }

  /**
   * The paths in code within a sentence where nothing is: those that end like a file, begin with a
   * dot, or begin with a folder of the repository.
   */
  List<String> brokenPaths(Path root, Set<String> comeLater) {
    return code()
        .filter(PATH.asMatchPredicate())
        .filter(looksLikePath(root))
        .filter(name -> !comeLater.contains(name))
        .filter(name -> Stream.of(root, path.resolveSibling(".")).noneMatch(it -> isIn(it, name)))
        .toList();
  }

  /** Its examples in Java, each as {@link #codeOnly code only}. */
  List<String> examples() {
    return JAVA.matcher(text).results().map(Document::first).map(Document::codeOnly).toList();
  }

  /** Java without blank space and comments: neither is compiled. */
  static String codeOnly(String java) {
    var withoutComments =
        TEXT_OR_COMMENT
            .matcher(java)
            .replaceAll(
                match -> match.group(1) == null ? " " : Matcher.quoteReplacement(match.group(1)));
    return withoutComments.replaceAll("\\s+", "");
  }

  /** The names of tests within a sentence that do not lead to that test, or to its method. */
  List<String> unlinkedTests() {
    var sentences = BLOCK.matcher(text).replaceAll("");
    return TEST.matcher(sentences)
        .results()
        .filter(match -> !leadsToTest(sentences, match))
        .map(MatchResult::group)
        .toList();
  }

  private boolean leadsToTest(String sentences, MatchResult match) {
    var link = LINK_OF_TEXT.matcher(sentences);
    if (match.group(1) == null || !link.find(match.end())) {
      return false;
    }
    var target = Optional.ofNullable(link.group(1)).or(() -> definition(match));
    return target.filter(there -> isTest(path.resolveSibling(there), match)).isPresent();
  }

  /** Where a link leads that is defined at the end of the document. */
  private Optional<String> definition(MatchResult match) {
    var line = "(?m)^" + Pattern.quote(match.group() + "]: ") + "(\\S+)$";
    return Pattern.compile(line).matcher(text).results().map(Document::first).findFirst();
  }

  private static boolean isTest(Path file, MatchResult match) {
    return file.endsWith(match.group(2) + ".java")
        && Files.exists(file)
        && (match.group(3) == null || read(file).contains(" " + match.group(3) + "("));
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Predicate<String> looksLikePath(Path root) {
    return name ->
        FILE.matcher(name).matches()
            || name.startsWith("./")
            || (name.contains("/") && Files.isDirectory(root.resolve(Path.of(name).getName(0))));
  }

  private static boolean isIn(Path folder, String name) {
    return Files.exists(folder.resolve(name));
  }

  private Stream<String> code() {
    var sentences = BLOCK.matcher(text).replaceAll("");
    return CODE.matcher(sentences).results().map(Document::first);
  }

  @Override
  public String toString() {
    return path.toString();
  }

  private static String first(MatchResult match) {
    return match.group(1);
  }
}
