package io.leasehold.db.refuse;

import java.util.Collection;
import java.util.Set;
import java.util.regex.Pattern;
import org.jooq.Field;
import org.jooq.Keyword;
import org.jooq.Name;
import org.jooq.QueryPart;
import org.jooq.SQL;

/** Refuses verbatim text, except for the texts that jOOQ itself uses. */
final class AllowedText {

  private static final String WORD = "(?:\"[^\"]+\"|[\\p{L}_][\\p{L}\\p{N}_$]*)";

  private static final Pattern IDENTIFIER = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*");

  // A type in this form cannot end the cast that contains it.
  private static final Pattern TYPE =
      Pattern.compile(
          WORD
              + "(?:\\."
              + WORD
              + ")*(?: precision| varying)?(?: ?\\(\\d+(?:, ?-?\\d+)?\\))?"
              + "(?: with(?:out)? time zone| year to month| day to second)?(?:\\[\\d*\\])*");

  // Operators, except those that open a comment.
  private static final Pattern OPERATOR =
      Pattern.compile("(?!.*(?:--|/\\*))[-+*/%<>=&|^~!#@?$]{1,3}");

  // The templates of jOOQ's own functions on arrays and JSON, for PostgreSQL.
  private static final Set<String> TEMPLATES = Set.of("{0}", "cast({0} as jsonpath)");

  private static final String GROUPING_SETS = "grouping sets";

  private AllowedText() {}

  static void require(SQL text) {
    var written = OpaqueParts.textOf(text);
    if (OPERATOR.matcher(written).matches()) {
      return;
    }
    if (!TEMPLATES.contains(written) || !areValues(OpaqueParts.substitutesOf(text))) {
      throw Refusal.statement("SQL as text cannot be scoped, use the DSL: %s".formatted(text));
    }
  }

  // jOOQ does not reveal how the parts of a template are used: a name or keyword could be a table
  // there.
  private static boolean areValues(Collection<?> parts) {
    return parts.stream()
        .allMatch(
            part ->
                switch (part) {
                  case Field<?> _ -> true;
                  case QueryPart list when list instanceof Collection<?> all -> areValues(all);
                  default -> false;
                });
  }

  static void requireKeyword(Keyword keyword) {
    var words = OpaqueParts.textOf(keyword);
    if (!areWords(words) && !OPERATOR.matcher(words).matches()) {
      throw Refusal.statement("a keyword must be words, not %s".formatted(words));
    }
  }

  // Without a regular expression, since keywords are the most frequent parts of a statement.
  private static boolean areWords(String text) {
    for (int i = 0; i < text.length(); i++) {
      var c = text.charAt(i);
      if (c != ' ' && c != '_' && c != '*' && (c < 'A' || c > 'z' || (c > 'Z' && c < 'a'))) {
        return false;
      }
    }
    return true;
  }

  static void requireIdentifier(Name name) {
    if (name.qualified() || name.empty() || isQuoted(name)) {
      return;
    }
    var last = String.valueOf(name.last());
    if (!IDENTIFIER.matcher(last).matches() && !last.equals(GROUPING_SETS)) {
      throw Refusal.statement("an unquoted name must be an identifier, not %s".formatted(last));
    }
  }

  private static boolean isQuoted(Name name) {
    return switch (name.quoted()) {
      case UNQUOTED, SYSTEM, MIXED -> false;
      case QUOTED, DEFAULT -> true;
    };
  }

  static void requireType(String name) {
    if (!TYPE.matcher(name).matches()) {
      throw Refusal.statement("a type must have a plain name, not %s".formatted(name));
    }
  }
}
