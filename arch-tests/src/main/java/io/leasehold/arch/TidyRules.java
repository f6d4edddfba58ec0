package io.leasehold.arch;

import io.leasehold.arch.find.EmptyCatches;
import io.leasehold.arch.find.Methods;
import io.leasehold.arch.find.SourceParser;
import java.nio.file.Files;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rules about source text. */
public final class TidyRules {

  private static final String MARK = "TODO";
  private static final Pattern NAMELESS =
      Pattern.compile("(//|^\\s*/?\\*).*\\b" + MARK + "\\b(?! #\\d+: )");

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
    var parser = new SourceParser();
    return new SourceRule(
        "have methods of at most %d lines".formatted(limit),
        file ->
            Methods.in(parser, file.path().toString(), file.text()).stream()
                .flatMap(method -> tooLong(method.name(), method.lines(), limit)));
  }

  private static Stream<String> tooLong(String what, int lines, int limit) {
    return lines > limit
        ? Stream.of("%s has %d lines, at most %d are allowed".formatted(what, lines, limit))
        : Stream.of();
  }

  /** No method has more parameters than the limit; records are exempt. */
  public static SourceRule fewParameters(int limit) {
    var parser = new SourceParser();
    return new SourceRule(
        "have methods of at most %d parameters".formatted(limit),
        file ->
            Methods.in(parser, file.path().toString(), file.text()).stream()
                .filter(method -> method.parameters() > limit)
                .map(
                    method ->
                        "%s has %d parameters, at most %d are allowed"
                            .formatted(method.name(), method.parameters(), limit)));
  }

  /** No line has more columns than the limit; imports are exempt. */
  public static SourceRule narrowLines(int limit) {
    return new SourceRule(
        "have lines of at most %d columns".formatted(limit),
        file -> lines(file, Pattern.compile("^(?!import ).{" + (limit + 1) + "}")));
  }

  /** No {@code catch} block is empty, even if it contains a comment. */
  public static SourceRule noEmptyCatch() {
    var parser = new SourceParser();
    return new SourceRule(
        "have no empty catch block",
        file ->
            EmptyCatches.in(parser, file.path().toString(), file.text()).stream()
                .map("line %d: catches what it does nothing about"::formatted));
  }

  /** Every package, including test packages, has a {@code package-info}. */
  public static SourceRule packageInfo() {
    return new SourceRule(
        "have a package-info beside them",
        file ->
            Files.exists(file.path().resolveSibling("package-info.java"))
                ? Stream.of()
                : Stream.of("its package has no package-info.java"));
  }

  /** Every to-do names its issue, as in {@code TODO #12: …}. */
  public static SourceRule noNamelessTodo() {
    return new SourceRule("name the issue of what is left to do", file -> lines(file, NAMELESS));
  }

  /** No code sleeps: a wait polls for a visible effect. */
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
