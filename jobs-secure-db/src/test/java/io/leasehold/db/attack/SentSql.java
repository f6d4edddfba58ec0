package io.leasehold.db.attack;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A statement as it was sent, in tokens: text of an argument is allowed in literals and quoted
 * names alone, and each word before a parenthesis has to be a known one, or an allowed function.
 *
 * @param sql the text
 */
record SentSql(String sql) {

  private static final Pattern TOKEN =
      Pattern.compile(
          """
          (?<literal>'(?:[^']|'')*')|(?<quoted>"(?:[^"]|"")*")|(?<word>[\\p{L}_][\\p{L}\\p{N}_$]*)\
          |(?<number>\\d[\\d.eE]*)|(?<comment>--|/\\*)|(?<space>\\s+)|(?<sign>.)\
          """,
          Pattern.DOTALL);

  // What may stand before a parenthesis without being called.
  private static final Set<String> WORDS =
      Set.of(
          """
          all and any array as between bigint bit by case cast char character conflict cross cube
          current_time current_timestamp decimal distinct else end except exists filter from full
          grouping group having ilike in inner interval intersect into is isnull join json lateral
          left like limit localtime localtimestamp materialized not null numeric offset on or order
          over partition placing recursive returning right rollup row select sets set similar some
          symmetric then time timestamp to union unique unknown update using values varchar varying
          when where
          with within xor escape fetch desc asc first last precision text only bytea for
          nextval currval unnest json_object json_array json_value json_query json_exists json_table
          json_arrayagg json_objectagg percent_rank jsonb float real true false regexp default key\
          """
              .strip()
              .split("\\s+"));

  // The schema in which a table is that answers first that it is in another one.
  private static final String LIE = "\"other\"";

  private record Token(String text, Kind kind) {

    boolean is(String word) {
      return kind == Kind.WORD && text.equalsIgnoreCase(word);
    }
  }

  private enum Kind {
    LITERAL,
    QUOTED,
    WORD,
    SIGN
  }

  /** What is wrong with it, if an argument holds the marker. */
  List<String> faults(String marker, Predicate<String> mayCall) {
    var faults = new ArrayList<String>();
    var tokens = tokens(faults);
    for (int i = 0; i < tokens.size(); i++) {
      var token = tokens.get(i);
      if (token.kind == Kind.WORD && token.text.toLowerCase(Locale.ROOT).contains(marker)) {
        faults.add("text outside of quotes: " + token.text);
      }
      if (token.text.equals(LIE)) {
        faults.add("another schema than the one that was checked");
      }
      if (isCalled(tokens, i)
          && !mayCall.test(
              token.kind == Kind.QUOTED ? unquoted(token) : token.text.toLowerCase(Locale.ROOT))) {
        faults.add("call of " + token.text);
      }
    }
    return faults;
  }

  private List<Token> tokens(List<String> faults) {
    var tokens = new ArrayList<Token>();
    var matcher = TOKEN.matcher(sql);
    while (matcher.find()) {
      if (matcher.group("comment") != null) {
        faults.add("a comment");
      } else if (matcher.group("space") == null) {
        tokens.add(new Token(matcher.group(), kind(matcher)));
      }
    }
    for (var token : tokens) {
      if (token.text.equals("'") || token.text.equals("\"") || token.text.equals(";")) {
        faults.add("an open quote, or a second statement");
      }
    }
    return tokens;
  }

  private static Kind kind(Matcher matcher) {
    if (matcher.group("literal") != null) {
      return Kind.LITERAL;
    }
    if (matcher.group("quoted") != null) {
      return Kind.QUOTED;
    }
    return matcher.group("word") != null ? Kind.WORD : Kind.SIGN;
  }

  private static String unquoted(Token token) {
    return token.text.substring(1, token.text.length() - 1);
  }

  private static boolean isCalled(List<Token> tokens, int i) {
    var token = tokens.get(i);
    if (i + 1 >= tokens.size() || !tokens.get(i + 1).text.equals("(")) {
      return false;
    }
    return switch (token.kind) {
      case WORD ->
          !WORDS.contains(token.text.toLowerCase(Locale.ROOT)) && !isListOfColumns(tokens, i);
      case QUOTED -> !isListOfColumns(tokens, i);
      default -> false;
    };
  }

  // "as t(c)", "insert into s.t (c)", and "with x(c) as (".
  private static boolean isListOfColumns(List<Token> tokens, int i) {
    var first = i;
    while (first >= 2 && tokens.get(first - 1).text.equals(".")) {
      first -= 2;
    }
    if (first > 0
        && (tokens.get(first - 1).is("as")
            || tokens.get(first - 1).is("into")
            || tokens.get(first - 1).is("collate"))) {
      return true;
    }
    var open = 0;
    for (int end = i + 1; end < tokens.size(); end++) {
      open += tokens.get(end).text.equals("(") ? 1 : tokens.get(end).text.equals(")") ? -1 : 0;
      if (open == 0) {
        return end + 2 < tokens.size()
            && tokens.get(end + 1).is("as")
            && (tokens.get(end + 2).text.equals("(")
                || tokens.get(end + 2).is("materialized")
                || tokens.get(end + 2).is("not"));
      }
    }
    return false;
  }
}
