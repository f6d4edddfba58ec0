package io.leasehold.arch;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A rule about source text, for what leaves no trace in a class file.
 *
 * @param description what files should do, such as "be at most 400 lines long"
 * @param search returns a description of each violation in a file
 */
public record SourceRule(String description, Function<SourceFile, Stream<String>> search) {

  /**
   * Checks files.
   *
   * @throws AssertionError with all violations, or if there is no file
   */
  public void check(Collection<SourceFile> files) {
    if (files.isEmpty()) {
      throw new AssertionError(
          "rule 'files should %s' had no file to look at".formatted(description));
    }
    var found = files.stream().flatMap(this::search).toList();
    if (!found.isEmpty()) {
      throw new AssertionError(message(found));
    }
  }

  private Stream<String> search(SourceFile file) {
    return search.apply(file).map(found -> "%s: %s".formatted(file.path(), found));
  }

  private String message(List<String> found) {
    return "rule 'files should %s' was broken %d times:%n%s"
        .formatted(description, found.size(), String.join("\n", found));
  }
}
