package io.leasehold.arch;

import io.leasehold.arch.find.Methods;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rules about source text. */
public final class TidyRules {

  private static final String MARK = "TODO";
  private static final Pattern NAMELESS =
      Pattern.compile("(//|^\\s*/?\\*).*\\b" + MARK + "\\b(?! #\\d+: )");

  private static final Pattern CATCH_ALL =
      Pattern.compile("\\} catch \\((?:final )?(?:Throwable|Exception)\\b");

  private static final Pattern SLEEP = Pattern.compile("(\\.|::|\\bimport static .*)\\bsleep\\b");

  private static final Pattern MOCKING =
      Pattern.compile(
          "^import .*\\b(org\\.(mockito|easymock|powermock|jmock)|mockit|io\\.mockk)\\.");

  private TidyRules() {}

  /** No file is longer than the limit. */
  public static SourceRule shortFiles(int limit) {
    return new SourceRule(
        "be at most %d lines long".formatted(limit),
        file -> tooLong("file", file.lines().size(), limit));
  }

  /** No method is longer than the limit, from its annotations to its closing brace. */
  public static SourceRule shortMethods(int limit) {
    return new SourceRule(
        "have methods of at most %d lines".formatted(limit),
        file ->
            Methods.in(file.path().toString(), file.text()).stream()
                .flatMap(method -> tooLong(method.name(), method.lines(), limit)));
  }

  private static Stream<String> tooLong(String what, int lines, int limit) {
    return lines > limit
        ? Stream.of("%s has %d lines, at most %d are allowed".formatted(what, lines, limit))
        : Stream.of();
  }

  /** No method has more parameters than the limit; records may. */
  public static SourceRule fewParameters(int limit) {
    return new SourceRule(
        "have methods of at most %d parameters".formatted(limit),
        file ->
            Methods.in(file.path().toString(), file.text()).stream()
                .filter(method -> method.parameters() > limit)
                .map(
                    method ->
                        "%s has %d parameters, at most %d are allowed"
                            .formatted(method.name(), method.parameters(), limit)));
  }

  /** What is left to do names its issue, as in {@code TODO #12: …}. */
  public static SourceRule noNamelessTodo() {
    return new SourceRule("name the issue of what is left to do", file -> lines(file, NAMELESS));
  }

  /**
   * Nobody catches {@code Exception} or {@code Throwable}, but the edges that are named.
   *
   * @param edges the files of the classes that may, as in {@code "Attempt.java"}
   */
  public static SourceRule noCatchAll(String... edges) {
    var named = Set.of(edges);
    return new SourceRule(
        "catch the exceptions that they can handle",
        file ->
            named.contains(String.valueOf(file.path().getFileName()))
                ? Stream.of()
                : lines(file, CATCH_ALL));
  }

  /** Nobody sleeps: waiting looks for a visible effect. */
  public static SourceRule noSleep() {
    return new SourceRule("not sleep", file -> lines(file, SLEEP));
  }

  /** No mocking library is imported. */
  public static SourceRule noMocks() {
    return new SourceRule("use no mocking library", file -> lines(file, MOCKING));
  }

  private static Stream<String> lines(SourceFile file, Pattern forbidden) {
    var lines = file.lines();
    return IntStream.range(0, lines.size())
        .filter(i -> forbidden.matcher(lines.get(i)).find())
        .mapToObj(i -> "line %d: %s".formatted(i + 1, lines.get(i).strip()));
  }
}
