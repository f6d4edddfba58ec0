package io.leasehold.db.refuse;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jooq.Binding;
import org.jooq.QueryPart;
import org.jooq.SQL;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.impl.CustomCondition;
import org.jooq.impl.CustomField;
import org.jooq.impl.CustomQueryPart;
import org.jooq.impl.CustomTable;
import org.jooq.impl.DSL;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/**
 * Finds text in a statement that jOOQ writes without showing it to a listener.
 *
 * <p>jOOQ gives no access to it, so it is read from its private fields; that the fields are there
 * is checked when this class is loaded.
 */
public final class OpaqueParts {

  private static final String JOOQ = "org.jooq.";
  private static final Class<?> SELECT = DSL.using(SQLDialect.POSTGRES).selectQuery().getClass();
  private static final Field TEXT = field(type("org.jooq.impl.SQLImpl"), "sql");
  private static final Field SUBSTITUTES = field(type("org.jooq.impl.SQLImpl"), "substitutes");
  private static final Field ALIAS = field(TableImpl.class, "alias");
  private static final List<Field> TEXTS = List.of(field(SELECT, "hint"), field(SELECT, "option"));

  private static final Field LOCK = field(SELECT, "forLock");
  private static final Class<?> LOCKING = type("org.jooq.impl.ForLock");
  private static final Field LOCKED_TABLES = field(LOCKING, "forLockOfTables");
  private static final Field LOCKED_FIELDS = field(LOCKING, "forLockOf");

  private OpaqueParts() {}

  /** The text of plain SQL, its placeholders not filled in. */
  static String textOf(SQL text) {
    return text.getClass() == TEXT.getDeclaringClass()
        ? (String) readable(TEXT, text)
        : "plain SQL";
  }

  /** What is put in the place of its placeholders. */
  static List<?> substitutesOf(SQL text) {
    return (List<?>) readable(SUBSTITUTES, text);
  }

  /** Whether a table is another one under an alias; that one is visited inside it. */
  public static boolean isAlias(TableImpl<?> table) {
    return read(ALIAS, table) != null;
  }

  /** Whether a binding is not jOOQ's. */
  static boolean isCustom(Binding<?, ?> binding) {
    return !binding.getClass().getName().startsWith(JOOQ);
  }

  /** Whether a select locks rows of a table that goes by one of these names. */
  public static boolean locks(Select<?> select, Set<String> names) {
    var lock = select.getClass() == SELECT ? read(LOCK, select) : null;
    if (lock == null) {
      return false;
    }
    var tables = (List<?>) read(LOCKED_TABLES, lock);
    return read(LOCKED_FIELDS, lock) != null
        || tables == null
        || tables.stream().anyMatch(table -> names.contains(((Table<?>) table).getName()));
  }

  static boolean areHeldBy(Select<?> select) {
    return select.getClass() == SELECT
        && TEXTS.stream().anyMatch(text -> read(text, select) != null);
  }

  /** Whether the part is a custom one: a class, or a lambda, that is not jOOQ's. */
  static boolean areHeldBy(QueryPart part) {
    return isCustom(part)
        && (!part.getClass().getName().startsWith(JOOQ) || hasForeignLambda(part));
  }

  private static boolean isCustom(QueryPart part) {
    return part instanceof CustomField<?>
        || part instanceof CustomCondition
        || part instanceof CustomTable<?>
        || part instanceof CustomQueryPart;
  }

  private static boolean hasForeignLambda(QueryPart part) {
    return Stream.of(part.getClass().getDeclaredFields())
        .filter(field -> Consumer.class.isAssignableFrom(field.getType()))
        .anyMatch(field -> !readable(field, part).getClass().getName().startsWith(JOOQ));
  }

  private static Object readable(Field field, Object object) {
    field.setAccessible(true);
    var value = read(field, object);
    if (value == null) {
      throw new IllegalStateException("jOOQ's field %s is empty".formatted(field));
    }
    return value;
  }

  private static Class<?> type(String name) {
    try {
      return Class.forName(name);
    } catch (ClassNotFoundException e) {
      throw new IllegalStateException("this version of jOOQ has no class " + name, e);
    }
  }

  private static Field field(Class<?> type, String name) {
    try {
      var field = type.getDeclaredField(name);
      field.setAccessible(true);
      return field;
    } catch (NoSuchFieldException e) {
      throw new IllegalStateException("this version of jOOQ has no field " + name, e);
    }
  }

  private static @Nullable Object read(Field field, Object object) {
    try {
      return field.get(object);
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("jOOQ's field %s cannot be read".formatted(field), e);
    }
  }
}
