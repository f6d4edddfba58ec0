package io.leasehold.arch;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.MatchResult;
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
  private static final Pattern LEFT_OUT = Pattern.compile("(?m)^.*….*$");
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

  /** Its examples in Java, each parted where it leaves something out, without blank space. */
  List<String> examples() {
    return JAVA.matcher(text)
        .results()
        .map(Document::first)
        .flatMap(LEFT_OUT::splitAsStream)
        .map(Document::withoutSpace)
        .filter(example -> !example.isEmpty())
        .toList();
  }

  /** A text without blank space: how it is broken into lines says nothing. */
  static String withoutSpace(String text) {
    return text.replaceAll("\\s+", "");
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
