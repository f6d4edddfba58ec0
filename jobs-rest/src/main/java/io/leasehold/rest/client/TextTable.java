package io.leasehold.rest.client;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Rows under headings, in columns as wide as what is in them. */
public final class TextTable {

  private static final String GAP = "  ";

  private final List<List<String>> rows = new ArrayList<>();

  /** A table with these headings. */
  public TextTable(String... headings) {
    rows.add(List.of(headings));
  }

  /** Adds a row of as many cells as there are headings. */
  public void add(String... cells) {
    rows.add(Stream.of(cells).map(TextTable::onOneLine).toList());
  }

  /** All lines, the headings first. */
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

  /** What a tenant's job says may hold anything, a terminal's commands too. */
  static String onOneLine(String text) {
    return text.replaceAll("[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}]+", " ");
  }
}
