package io.leasehold.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A comparison's result, with what it was measured on, as a dated file. */
public final class Report {

  private final String name;
  private final List<String> lines = new ArrayList<>();

  private Report(String name) {
    this.name = name;
  }

  public static Report of(String name, Comparison comparison, Way... ways)
      throws IOException, InterruptedException {
    var report = new Report(name);
    report.add(
        "# " + name,
        "",
        "Machine: " + machine() + "  ",
        "Commit: " + commit() + "  ",
        "%d turns of %d s each, the ways in turn, %d threads"
            .formatted(comparison.turns(), comparison.turn().toSeconds(), comparison.threads()),
        "",
        "| way | per second, median | least | most |",
        "|---|---|---|---|");
    for (var way : ways) {
      report.add(row(way));
    }
    return report;
  }

  /** Adds the ratio of two ways: the middle of those of their turns. */
  public Report comparing(Way way, Way to) {
    var ratio = way.ratioTo(to);
    add("", String.format(Locale.ROOT, "%s to %s: %.2f", way.name(), to.name(), ratio));
    return this;
  }

  /** Writes the file, named by day and name; a second of a day replaces the first. */
  public void write(Path folder) throws IOException {
    var day = LocalDate.now(ZoneOffset.UTC);
    Files.createDirectories(folder);
    Files.write(folder.resolve(day + "-" + name + ".md"), lines);
    lines.forEach(System.out::println);
  }

  private void add(String... more) {
    lines.addAll(List.of(more));
  }

  private static String row(Way way) {
    return String.format(
        Locale.ROOT,
        "| %s | %.0f | %.0f | %.0f |",
        way.name(),
        way.median(),
        way.least(),
        way.most());
  }

  private static String machine() {
    return "%d processors, %s %s, Java %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("java.version"));
  }

  private static String commit() throws IOException, InterruptedException {
    var process =
        new ProcessBuilder("git", "describe", "--always", "--dirty")
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    var commit = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    return process.waitFor() == 0 ? commit.strip() : "unknown";
  }
}
