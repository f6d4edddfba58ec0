package io.leasehold.db.refuse;

import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jooq.Decfloat;
import org.jooq.Delete;
import org.jooq.Field;
import org.jooq.Insert;
import org.jooq.Name;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.QueryPart;
import org.jooq.Routine;
import org.jooq.SQL;
import org.jooq.Select;
import org.jooq.Update;
import org.jooq.VisitContext;
import org.jooq.impl.QOM;

/** Refuses the parts of a statement that could reach past its scope. */
public final class AllowedParts {

  // They change the session, run text as SQL, or reach what has no rows to scope. All others
  // without a schema are PostgreSQL's own: the roles' search path has nothing else.
  static final Pattern DANGEROUS_FUNCTION =
      Pattern.compile(
          "set_config|setval|lastval|currval|pg_.*|lo_.*|loread|lowrite|.*_to_xml.*"
              + "|ts_stat|ts_rewrite|dblink.*|crosstab.*"
              + "|binary_upgrade_.*|brin_.*|gin_clean_pending_list|currtid.*",
          Pattern.CASE_INSENSITIVE);

  // jOOQ's classes that are not public: a generated function as a field, a table that is text, a
  // table that is a function's result, and the select that counts what another one finds.
  private static final String ROUTINE_FIELD = "org.jooq.impl.AbstractRoutine$RoutineField";
  private static final String TEXT_TABLE = "org.jooq.impl.SQLTable";
  private static final String FUNCTION_TABLE = "org.jooq.impl.FunctionTable";

  private static final String COUNT = "org.jooq.impl.FetchCount";
  private static final Set<String> TEXT_QUERIES = Set.of("SQLQuery", "SQLResultQuery");

  private final Predicate<Name> declared;
  private final AllowedTypes types;
  private boolean calledDeclared;

  /**
   * For one transaction.
   *
   * @param declared tells which functions of modules may be called
   */
  public AllowedParts(Predicate<Name> declared, AllowedTypes types) {
    this.declared = declared;
    this.types = types;
  }

  /** Whether a function of a module was among what was allowed. */
  public boolean haveCalledDeclared() {
    return calledDeclared;
  }

  /** Refuses the visited part if it is not known to stay within the scope. */
  public void require(VisitContext visit) {
    var part = visit.queryPart();
    switch (part) {
      case SQL text -> AllowedText.require(text);
      case Name name -> AllowedText.requireIdentifier(name);
      case Query query -> requireScopable(query);
      case QOM.JoinTable<?, ?> _ when visit.queryPartsLength() == 1 ->
          throw Refusal.statement(
              "an implicit join along a path cannot be scoped, join it: .leftJoin(path)");
      case Routine<?> routine -> requireFunction(routine.getQualifiedName());
      default -> requireKnown(part);
    }
    if (part instanceof Field<?> field) {
      requireField(visit, field);
    }
  }

  private static void requireKnown(QueryPart part) {
    if (OpaqueParts.areHeldBy(part)) {
      throw Refusal.statement("a custom query part writes SQL that cannot be scoped");
    }
    if (part.getClass().getName().equals(TEXT_TABLE)) {
      throw Refusal.statement("SQL as text cannot be scoped, use the DSL: %s".formatted(part));
    }
  }

  private void requireField(VisitContext visit, Field<?> field) {
    types.require(field.getDataType(), visit.configuration());
    var isFunction = field instanceof QOM.Function<?> || isRoutine(field);
    if (isFunction) {
      requireFunction(field.getQualifiedName());
    } else if (isTable(visit)) {
      throw Refusal.statement("only a function can stand as a table, not %s".formatted(field));
    }
    if (field instanceof Param<?> value) {
      requireOrdinary(value);
    }
  }

  private static boolean isRoutine(Field<?> field) {
    return field.getClass().getName().equals(ROUTINE_FIELD);
  }

  private static boolean isTable(VisitContext visit) {
    var around = visit.queryParts();
    return around.length > 1
        && around[around.length - 2].getClass().getName().equals(FUNCTION_TABLE);
  }

  // A binding writes what it likes around its value, and so does a number that is made of text.
  private static void requireOrdinary(Param<?> value) {
    if (OpaqueParts.isCustom(value.getBinding())) {
      throw Refusal.statement(
          "a custom binding writes SQL that cannot be scoped, use a converter: %s"
              .formatted(value.getBinding().getClass().getName()));
    }
    if (value.getValue() instanceof Decfloat) {
      throw Refusal.statement("PostgreSQL has no type decfloat, use a BigDecimal");
    }
  }

  private static void requireScopable(Query query) {
    switch (query) {
      case Select<?> select -> {
        if (OpaqueParts.areHeldBy(select)) {
          throw Refusal.statement("a hint or option is SQL as text, which cannot be scoped");
        }
      }
      case Insert<?> _, Update<?> _, Delete<?> _ -> {}
      case QOM.InsertReturning<?> _, QOM.UpdateReturning<?> _, QOM.DeleteReturning<?> _ -> {}
      default -> {
        if (!query.getClass().getName().equals(COUNT)) {
          throw refusal(query);
        }
      }
    }
  }

  // By its class: a statement's text is written under this watch, and would be refused again.
  private static RuntimeException refusal(Query query) {
    var kind = query.getClass().getSimpleName();
    return TEXT_QUERIES.contains(kind)
        ? Refusal.statement("SQL as text cannot be scoped, use the DSL")
        : Refusal.statement(
            "only select, insert, update and delete can be scoped, not "
                + kind.replace("Impl", ""));
  }

  private void requireFunction(Name name) {
    if (declared.test(name)) {
      calledDeclared = true;
      return;
    }
    if (name.qualified()) {
      throw Refusal.statement(
          "function %s is not declared: declare it with tenantTables(binder()).function(…)"
              .formatted(name));
    }
    if (DANGEROUS_FUNCTION.matcher(name.last()).matches()) {
      throw Refusal.statement("function %s cannot be scoped".formatted(name));
    }
  }
}
