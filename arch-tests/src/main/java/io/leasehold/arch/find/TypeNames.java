package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds meaningless type names, by whole words: {@code Database} is a good name. */
public final class TypeNames {

  private static final Set<String> FORBIDDEN =
      Set.of(
          "Manager",
          "Helper",
          "Util",
          "Utils",
          "Impl",
          "Base",
          "Abstract",
          "Common",
          "Data",
          "Info",
          "Processor");

  private static final Pattern BETWEEN_WORDS =
      Pattern.compile("(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_");

  private static final Pattern HUNGARIAN = Pattern.compile("I[A-Z].*");

  private TypeNames() {}

  public static Stream<String> in(JavaClass type) {
    var name = type.getSimpleName();
    var words = BETWEEN_WORDS.splitAsStream(name).filter(FORBIDDEN::contains);
    return Stream.concat(words, HUNGARIAN.matcher(name).matches() ? Stream.of("I") : Stream.of())
        .map(word -> "%s has %s in its name".formatted(type.getDescription(), word));
  }
}
