package io.leasehold.arch.planted;

import java.util.function.Function;
import org.jooq.Condition;
import org.jooq.Context;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.Keyword;
import org.jooq.Name;
import org.jooq.QueryPart;
import org.jooq.SelectWhereStep;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.DSL;
import org.jooq.impl.DefaultDSLContext;

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

    boolean isText(QueryPart part) {
      return part.getClass().getSimpleName().equals("SQLImpl") && part.toString().isEmpty();
    }
  }
}
