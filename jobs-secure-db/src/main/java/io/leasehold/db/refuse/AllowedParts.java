package io.leasehold.db.refuse;

import java.util.function.Predicate;
import org.jooq.Field;
import org.jooq.Keyword;
import org.jooq.Name;
import org.jooq.Param;
import org.jooq.Query;
import org.jooq.QueryPart;
import org.jooq.SQL;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.VisitContext;
import org.jooq.impl.CustomCondition;
import org.jooq.impl.CustomField;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.CustomTable;

/** Refuses each part of a statement that is not known to stay within the scope. */
public final class AllowedParts {

  private final AllowedFunctions functions;
  private final AllowedTypes types;

  /**
   * Creates the check for one transaction.
   *
   * @param declared returns whether a module's function may be called
   */
  public AllowedParts(Predicate<Name> declared, AllowedTypes types) {
    this.functions = new AllowedFunctions(declared);
    this.types = types;
  }

  /** Returns whether a module's function has been allowed. */
  public boolean haveCalledDeclared() {
    return functions.haveCalledDeclared();
  }

  /** Refuses the visited part, or returns its kind. */
  public PartKind require(VisitContext visit) {
    var part = visit.queryPart();
    var kind = PartKind.of(part);
    switch (kind) {
      case SELECT -> requireNoText((Select<?>) part);
      case CALL -> functions.require(((Field<?>) part).getQualifiedName());
      case FUNCTION_TABLE -> requireFunction((Table<?>) part);
      case VALUE -> AllowedValues.require((Param<?>) part, visit.context());
      case NAME -> AllowedText.requireIdentifier((Name) part);
      case KEYWORD -> AllowedText.requireKeyword((Keyword) part);
      case TEXT -> AllowedText.require((SQL) part);
      case LIST -> requireParts(visit, (Iterable<?>) part);
      case LAMBDA -> requireLambda(part);
      case SCHEMA -> requireSequence(visit);
      case UNKNOWN -> throw unknown(part);
      case JOIN -> requireExplicit(visit);
      default -> {}
    }
    if (part instanceof Field<?> field) {
      types.require(field.getDataType(), visit.configuration());
    }
    return kind;
  }

  private static void requireNoText(Select<?> select) {
    if (OpaqueParts.areHeldBy(select)) {
      throw Refusal.statement("a hint or option is SQL as text, which cannot be scoped");
    }
  }

  // In this position, a name could be any table.
  private static void requireFunction(Table<?> table) {
    var function = OpaqueParts.functionOf(table);
    if (PartKind.of(function) != PartKind.CALL && !OpaqueParts.isRoutine(function)) {
      throw Refusal.statement("only a function can stand as a table, not %s".formatted(function));
    }
  }

  // jOOQ does not reveal how the parts of a list are used. A name is accepted only as an alias'
  // column; other columns are fields.
  private static void requireParts(VisitContext visit, Iterable<?> parts) {
    for (var part : parts) {
      if ((part instanceof Name || part instanceof Keyword) && !isIn(visit, PartKind.ALIAS)) {
        throw Refusal.statement("a bare name or keyword cannot be scoped: %s".formatted(part));
      }
    }
  }

  private static void requireExplicit(VisitContext visit) {
    if (visit.queryPartsLength() == 1) {
      throw Refusal.statement(
          "an implicit join along a path cannot be scoped, join it: .leftJoin(path)");
    }
  }

  private static void requireLambda(QueryPart part) {
    if (!OpaqueParts.isJooqsLambda(part)) {
      throw unknown(part);
    }
  }

  // A table's schema is never written by the table itself, which could return another one than
  // before.
  private static void requireSequence(VisitContext visit) {
    if (visit.renderContext() != null && !isIn(visit, PartKind.SEQUENCE)) {
      throw Refusal.statement(
          "a schema cannot be scoped by itself: %s".formatted(visit.queryPart()));
    }
  }

  private static boolean isIn(VisitContext visit, PartKind kind) {
    var around = visit.queryParts();
    return around.length > 1 && PartKind.of(around[around.length - 2]) == kind;
  }

  // Described by its class, because the part's text would be written under this check and refused
  // again.
  private static RuntimeException unknown(QueryPart part) {
    var name = part.getClass().getSimpleName();
    return Refusal.statement(
        switch (name) {
          case "SQLQuery", "SQLResultQuery", "SQLTable" ->
              "SQL as text cannot be scoped, use the DSL";
          default ->
              switch (part) {
                case CustomField<?> _, CustomCondition _, CustomTable<?> _, CustomQueryPart _ ->
                    "a custom query part writes SQL that cannot be scoped";
                case Query _ ->
                    "only select, insert, update and delete can be scoped, not "
                        + name.replace("Impl", "");
                default ->
                    "jOOQ's %s is not allowed in statements of tenants: use a view of your module"
                        .formatted(part.getClass().getName());
              };
        });
  }
}
