package io.leasehold.rest.client;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Formats rows under headings, in columns as wide as their contents. Picocli's table needs the
 * widths first, and would interpret markup in a tenant's texts.
 */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** Creates a table with these headings. */
  public TextTable(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a row, with one cell for each heading. */
  public void add(String... cells) {
    rows.add(Stream.of(cells).map(TextTable::onOneLine).toList());
  }

  /** Returns all lines, the headings first. */
  public List<String> lines() {
    var widths =
        IntStream.range(0, rows.getFirst().size())
            .map(column -> rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(0))
            .toArray();
    return rows.stream().map(row -> line(row, widths)).toList();
  }

  private static String line(List<String> row, int[] widths) {
    var line = new StringBuilder();
    for (int column = 0; column < widths.length; column++) {
      line.append(row.get(column))
          .append(" ".repeat(widths[column] - row.get(column).length()))
          .append(GAP);
    }
    return line.toString().stripTrailing();
  }

  /** The text of a tenant's job may contain anything, including terminal commands. */
  static String onOneLine(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+", " ");
  }
}
