package io.leasehold.arch.planted;

import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.Context;
import org.jooq.DSLContext;
import org.jooq.Decfloat;
import org.jooq.ExecuteContext;
import org.jooq.ExecuteListener;
import org.jooq.Field;
import org.jooq.Keyword;
import org.jooq.Name;
import org.jooq.QueryPart;
import org.jooq.SelectQuery;
import org.jooq.SelectWhereStep;
import org.jooq.TableOptions;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultDSLContext;
import org.jooq.impl.DefaultDataType;
import org.jooq.impl.Internal;

/** Strings that become SQL, each by another door. */
public final class PlainSqlUse {

  private PlainSqlUse() {}

  public static final class FetchesString {
    int count(DSLContext tx) {
      return tx.fetch("SELECT * FROM orders").size();
    }
  }

  public static final class FetchesStringFromTheImplementation {
    int count(DefaultDSLContext tx) {
      return tx.fetch("SELECT * FROM orders").size();
    }
  }

  public static final class FiltersByString {
    int count(SelectWhereStep<?> orders) {
      return orders.where("true").fetch().size();
    }
  }

  public static final class FiltersInLambda {
    Function<String, Condition> filter() {
      return sql -> DSL.condition(sql);
    }
  }

  public static final class TakesReference {
    Function<String, Field<Object>> field() {
      return DSL::field;
    }
  }

  public static final class WritesRawText {
    QueryPart text(String sql) {
      return DSL.raw(sql);
    }
  }

  public static final class WritesTemplate {
    QueryPart text(String sql) {
      return DSL.sql(sql, 1);
    }
  }

  public static final class CallsFunctionAsAggregate {
    Field<String> call(String function) {
      return DSL.aggregate(function, String.class, DSL.inline(1));
    }
  }

  public static final class WritesKeyword {
    Keyword union(String sql) {
      return DSL.keyword(sql);
    }
  }

  public static final class NamesWithoutQuotes {
    Name name(String sql) {
      return DSL.unquotedName(sql);
    }
  }

  public static final class TakesQuotesOff {
    Name name(String sql) {
      return DSL.name(sql).unquotedName();
    }
  }

  public static final class AddsHints {
    void add(SelectQuery<?> query) {
      query.addHint("/*+ */");
    }
  }

  public static final class AddsOptions {
    void add(SelectQuery<?> query) {
      query.addOption("FOR UPDATE");
    }
  }

  public static final class IndentsText {
    void accept(Context<?> context) {
      context.sqlIndentStart("true");
    }
  }

  public static final class ReplacesStatements implements ExecuteListener {
    private static final long serialVersionUID = 1;

    @Override
    public void renderEnd(ExecuteContext statement) {
      statement.sql("true");
    }
  }

  public static final class ParsesTables {
    Object tables(DSLContext tx) {
      return tx.meta("CREATE TABLE orders ()");
    }
  }

  public static final class DefinesViews {
    TableOptions view() {
      return TableOptions.view("SELECT 1");
    }
  }

  public static final class MakesNumbersOfText {
    Decfloat number(String sql) {
      return Decfloat.valueOf(sql);
    }
  }

  public static final class ChecksText {
    Object check() {
      return Internal.createCheck(DSL.dual(), DSL.name("positive"), "total > 0");
    }
  }

  public static final class NamesTypes {
    Object type(String sql) {
      return DefaultDataType.getDefaultDataType(sql);
    }
  }

  public static final class GivesHints {
    int count(DSLContext tx) {
      return tx.selectOne().hint("/*+ */").fetch().size();
    }
  }

  public static final class RendersByHand {
    QueryPart part() {
      return CustomQueryPart.of(context -> render(context));
    }

    private static void render(Context<?> context) {
      context.visit(DSL.inline(1));
    }
  }

  public static final class AppendsText {
    void accept(Context<?> context) {
      context.sql("true");
    }
  }

  /** The clean twin. */
  public static final class SpeaksTheDsl {
    int count(DSLContext tx) {
      var one = DSL.inline(1);
      return tx.fetch(DSL.select(one).where(one.eq(DSL.val(1)))).size();
    }

    Name name(ExecuteContext statement) {
      return DSL.name(String.valueOf(statement.sql()));
    }

    boolean isText(QueryPart part) {
      return part.getClass().getSimpleName().equals("SQLImpl") && part.toString().isEmpty();
    }
  }
}
