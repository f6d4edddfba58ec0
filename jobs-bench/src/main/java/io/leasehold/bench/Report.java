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

/** The results of a measurement and a description of the machine, as a dated file. */
public final class Report {

  private static final Path LOAD = Path.of("/proc/loadavg");

  private final String name;
  private final List<String> lines = new ArrayList<>();

  private Report(String name) {
    this.name = name;
  }

  /** Starts a report with the current state of the machine. */
  public static Report of(String name) throws IOException, InterruptedException {
    return new Report(name)
        .add(
            "# " + name,
            "",
            "Machine: " + machine() + "  ",
            "Commit: " + commit() + "  ",
            "Load average at the beginning: " + load() + "  ");
  }

  /** Adds lines of Markdown. */
  public Report add(String... more) {
    lines.addAll(List.of(more));
    List.of(more).forEach(System.out::println);
    return this;
  }

  /** Adds the heading of a table. */
  public Report table(String... columns) {
    return add("", "| " + String.join(" | ", columns) + " |", "|" + "---|".repeat(columns.length));
  }

  /** Adds a row of a table. */
  public Report row(String first, String... others) {
    return add("| " + first + " | " + String.join(" | ", others) + " |");
  }

  /** Returns the lines so far. */
  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Writes the file, named by day and name; a second report of the same day replaces the first. */
  public void write(Path folder) throws IOException {
    add("", "Load average at the end: " + load());
    var day = LocalDate.now(ZoneOffset.UTC);
    Files.createDirectories(folder);
    Files.write(folder.resolve(day + "-" + name + ".md"), lines);
  }

  /** Formats a number with {@code decimals} decimals. */
  public static String number(double value, int decimals) {
    return String.format(Locale.ROOT, "%,." + decimals + "f", value);
  }

  private static String machine() {
    return "%d processors, %s %s, Java %s"
        .formatted(
            Runtime.getRuntime().availableProcessors(),
            System.getProperty("os.name"),
            System.getProperty("os.version"),
            System.getProperty("java.version"));
  }

  private static String load() throws IOException {
    return Files.exists(LOAD) ? Files.readString(LOAD).strip() : "unknown";
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
