package io.leasehold.db.refuse;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Context;
import org.jooq.Field;
import org.jooq.Named;
import org.jooq.QueryPart;
import org.jooq.Table;
import org.jooq.TableField;
import org.jooq.VisitContext;
import org.jooq.impl.QOM;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/**
 * Refuses fields whose names are not those of columns: PostgreSQL reads a table's name as its whole
 * row, and {@code t.f} as a call of the function {@code f}.
 *
 * <p>A name must be that of a column of a declared table, or of a column that the statement itself
 * defines. The fields of a select are written before its tables, so fields created from a name
 * alone are checked when the statement is complete. Belongs to one transaction and its thread.
 */
public final class ReferencedColumns {

  private final Set<String> columns;
  private final Function<Table<?>, Set<String>> columnsOf;
  private final List<TableField<?, ?>> byName = new ArrayList<>();
  private final List<QueryPart> makers = new ArrayList<>();
  private @Nullable Context<?> writing;

  /**
   * Creates the check for one transaction.
   *
   * @param columns the names of all columns of declared tables
   * @param columnsOf returns the column names of one table; empty if it is not declared
   */
  public ReferencedColumns(Set<String> columns, Function<Table<?>, Set<String>> columnsOf) {
    this.columns = columns;
    this.columnsOf = columnsOf;
  }

  /** Records or checks a part that is about to be written. */
  public void visit(VisitContext visit, PartKind kind) {
    if (visit.queryPartsLength() == 1) {
      begin(visit.context());
    }
    if (writing == null) {
      return; // The statement is rendered but not sent.
    }
    switch (kind) {
      case REFERENCE -> require((TableField<?, ?>) visit.queryPart());
      case FIELD_ALIAS, TABLE_ALIAS, DERIVED, FUNCTION_ROWS, FUNCTION_TABLE ->
          makers.add(visit.queryPart());
      case TABLE -> {
        if (visit.context().declareTables()) {
          makers.add(visit.queryPart());
        }
      }
      default -> {}
    }
  }

  // A separate context of the same execution may write a part of a statement.
  private void begin(Context<?> context) {
    var execution = context.executeContext();
    if (execution == null) {
      writing = null;
    } else if (writing == null || !execution.equals(writing.executeContext())) {
      writing = context;
      byName.clear();
      makers.clear();
    }
  }

  private void require(TableField<?, ?> field) {
    var table = field.getTable();
    if (table == null || table.getClass() == TableImpl.class) {
      byName.add(field);
    } else if (!columns.contains(nameOf(field)) && !namesOf(table).contains(nameOf(field))) {
      throw refusal(field);
    }
  }

  /** Refuses a written statement if the name of one of its fields is not that of a column. */
  public void requireKnown(Context<?> written) {
    if (!written.equals(writing)) {
      return;
    }
    writing = null;
    if (byName.isEmpty()) {
      return;
    }
    var made = new HashSet<String>();
    makers.forEach(maker -> made.addAll(madeBy(maker)));
    for (var field : byName) {
      if (!isKnown(field, made)) {
        throw refusal(field);
      }
    }
  }

  private boolean isKnown(TableField<?, ?> field, Set<String> made) {
    var table = field.getTable();
    var declared = table == null ? Set.<String>of() : columnsOf.apply(table);
    return (declared.isEmpty() ? made : declared).contains(nameOf(field));
  }

  private Set<String> madeBy(QueryPart maker) {
    return switch (maker) {
      case QOM.FieldAlias<?> alias -> Set.of(nameOf(alias));
      case Table<?> table -> {
        var names = new HashSet<>(namesOf(table));
        names.addAll(columnsOf.apply(table));
        if (hasOneColumn(table)) {
          names.add(nameOf(table));
        }
        yield names;
      }
      default -> Set.of();
    };
  }

  // A table with a single value has one column with the table's name.
  private static boolean hasOneColumn(Table<?> table) {
    var rows = table instanceof QOM.TableAlias<?> alias ? alias.$aliased() : table;
    return switch (PartKind.of(rows)) {
      case FUNCTION_ROWS, FUNCTION_TABLE -> true;
      default -> rows.getTableType().isFunction();
    };
  }

  private static Set<String> namesOf(Table<?> table) {
    var names = new HashSet<String>();
    Stream.of(table.fields()).map(ReferencedColumns::nameOf).forEach(names::add);
    return names;
  }

  /** Returns the name by which PostgreSQL knows the part. */
  public static String nameOf(Named named) {
    return AllowedFunctions.folded(named.getUnqualifiedName());
  }

  private static RuntimeException refusal(Field<?> field) {
    return Refusal.statement(
        "%s is no column of a declared table, nor of one that the statement makes"
            .formatted(field.getQualifiedName()));
  }
}
