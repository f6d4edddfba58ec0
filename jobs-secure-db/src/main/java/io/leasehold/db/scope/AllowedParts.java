package io.leasehold.db.scope;

import java.util.regex.Pattern;
import org.jooq.Delete;
import org.jooq.Field;
import org.jooq.Insert;
import org.jooq.Name;
import org.jooq.Query;
import org.jooq.QueryPart;
import org.jooq.Routine;
import org.jooq.SQL;
import org.jooq.Select;
import org.jooq.Update;
import org.jooq.impl.QOM;

/** Refuses the parts of a statement that could reach past its scope. */
final class AllowedParts {

  // They change the session, run text as SQL, or reach what has no rows to scope. All others
  // without
  // a schema are PostgreSQL's own: the roles' search path has nothing else.
  private static final Pattern DANGEROUS_FUNCTION =
      Pattern.compile("set_config|pg_.*|lo_.*|.*_to_xml.*|dblink.*", Pattern.CASE_INSENSITIVE);

  private static final Pattern IDENTIFIER = Pattern.compile("[\\p{L}_][\\p{L}\\p{N}_$]*");

  // jOOQ's own use of text: operators (not those that open a comment), and a bare placeholder.
  private static final Pattern OPERATOR =
      Pattern.compile("(?!--|/\\*)[-+*/%<>=&|^~!#@?]{1,3}|\\{0}");

  // A generated function as a field; jOOQ's class is not public.
  private static final String ROUTINE_FIELD = "org.jooq.impl.AbstractRoutine$RoutineField";

  private final DeclaredTables declared;

  AllowedParts(DeclaredTables declared) {
    this.declared = declared;
  }

  void require(QueryPart part) {
    switch (part) {
      case SQL text -> requireOperator(text);
      case Name name -> requireIdentifier(name);
      case Query query -> requireScopable(query);
      case Routine<?> routine -> requireFunction(routine.getQualifiedName());
      case QOM.Function<?> function -> requireFunction(function.getQualifiedName());
      case Field<?> field when field.getClass().getName().equals(ROUTINE_FIELD) ->
          requireFunction(field.getQualifiedName());
      default -> {
        if (OpaqueParts.areHeldBy(part)) {
          throw Refusal.statement("a custom query part writes SQL that cannot be scoped");
        }
      }
    }
  }

  private static void requireOperator(SQL text) {
    if (!OPERATOR.matcher(OpaqueParts.textOf(text)).matches()) {
      throw Refusal.statement("SQL as text cannot be scoped, use the DSL: %s".formatted(text));
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
      default ->
          throw Refusal.statement(
              "only select, insert, update and delete can be scoped, not: %s".formatted(query));
    }
  }

  private void requireFunction(Name name) {
    if (declared.allowsFunction(name)) {
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

  private static void requireIdentifier(Name name) {
    if (name.quoted() == Name.Quoted.UNQUOTED && !name.qualified()) {
      var last = name.last();
      if (last != null && !last.isEmpty() && !IDENTIFIER.matcher(last).matches()) {
        throw Refusal.statement("an unquoted name must be an identifier, not %s".formatted(last));
      }
    }
  }
}
