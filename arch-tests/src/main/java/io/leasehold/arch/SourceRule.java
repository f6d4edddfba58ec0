package io.leasehold.arch;

import java.util.Collection;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * A rule about source text, which leaves no trace in a class file.
 *
 * @param description what files should do, as in "be at most 400 lines long"
 * @param search gives back a description of each place in a file that breaks the rule
 */
public record SourceRule(String description, Function<SourceFile, Stream<String>> search) {

  /**
   * Looks at files.
   *
   * @throws AssertionError with all places that break the rule, or if there is no file
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
