package io.leasehold.db.refuse;

import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jooq.Binding;
import org.jooq.Keyword;
import org.jooq.QueryPart;
import org.jooq.SQL;
import org.jooq.SQLDialect;
import org.jooq.Select;
import org.jooq.Table;
import org.jooq.VisitContext;
import org.jooq.impl.DSL;
import org.jooq.impl.TableImpl;
import org.jspecify.annotations.Nullable;

/**
 * Finds text in a statement that jOOQ writes without showing it to a listener.
 *
 * <p>jOOQ gives no access to that text, so it is read from private fields. Loading this class
 * checks that the fields exist.
 */
public final class OpaqueParts {

  // The nest host of a lambda is the class that contains its code, which cannot be forged. A class
  // name is unique only within a class loader, and a protection domain belongs to one loader and
  // one archive: a class of the same name from elsewhere is not jOOQ's.
  private static final ClassValue<Boolean> JOOQS =
      new ClassValue<>() {
        @Override
        protected Boolean computeValue(Class<?> type) {
          return Objects.equals(
              DSL.class.getProtectionDomain(), type.getNestHost().getProtectionDomain());
        }
      };

  private static final Class<?> SELECT = DSL.using(SQLDialect.POSTGRES).selectQuery().getClass();
  private static final Field TEXT = field(type("org.jooq.impl.SQLImpl"), "sql");
  private static final Field SUBSTITUTES = field(type("org.jooq.impl.SQLImpl"), "substitutes");
  private static final Field ALIAS = field(TableImpl.class, "alias");
  private static final Field WORDS = field(type("org.jooq.impl.KeywordImpl"), "asIs");
  private static final Field FUNCTION = field(type("org.jooq.impl.FunctionTable"), "function");
  private static final Field PARAMETERS = field(TableImpl.class, "parameters");
  private static final Field ALIASED = field(type("org.jooq.impl.Alias"), "wrapped");
  private static final Class<?> ROUTINE = type("org.jooq.impl.AbstractRoutine$RoutineField");
  private static final List<Field> TEXTS = List.of(field(SELECT, "hint"), field(SELECT, "option"));

  private static final Field LOCK = field(SELECT, "forLock");
  private static final Class<?> LOCKING = type("org.jooq.impl.ForLock");
  private static final Field LOCKED_TABLES = field(LOCKING, "forLockOfTables");
  private static final Field LOCKED_FIELDS = field(LOCKING, "forLockOf");

  private static final Class<?> VISIT = type("org.jooq.impl.AbstractContext$DefaultVisitContext");

  private OpaqueParts() {}

  /** Refuses a visit that jOOQ does not make itself: it could show one text and write another. */
  public static void requireJooqs(VisitContext visit) {
    if (visit.getClass() != VISIT) {
      throw Refusal.statement("statements are written by jOOQ, and not by a context of your own");
    }
  }

  /** Returns the text of plain SQL, without values for its placeholders. */
  static String textOf(SQL text) {
    return text.getClass() == TEXT.getDeclaringClass()
        ? (String) readable(TEXT, text)
        : "plain SQL";
  }

  /** Returns the words of a keyword. */
  static String textOf(Keyword keyword) {
    return String.valueOf(read(WORDS, keyword));
  }

  /** Returns the function whose rows form a table. */
  public static org.jooq.Field<?> functionOf(Table<?> table) {
    return (org.jooq.Field<?>) readable(FUNCTION, table);
  }

  /** Returns whether the part is a generated function, called as a field. */
  static boolean isRoutine(QueryPart part) {
    return part.getClass() == ROUTINE;
  }

  /** Returns the parts that replace the placeholders. */
  static List<?> substitutesOf(SQL text) {
    return (List<?>) readable(SUBSTITUTES, text);
  }

  /** Returns whether a table is an alias of another one, which is visited inside it. */
  public static boolean isAlias(TableImpl<?> table) {
    return read(ALIAS, table) != null;
  }

  /** Returns the table behind an alias. */
  public static Table<?> aliased(TableImpl<?> table) {
    return (Table<?>) readable(ALIASED, readable(ALIAS, table));
  }

  /** Returns the arguments of a table that consists of a function's rows. */
  public static List<org.jooq.Field<?>> parametersOf(TableImpl<?> table) {
    var parameters = (org.jooq.Field<?> @Nullable []) read(PARAMETERS, table);
    return parameters == null ? List.of() : List.of(parameters);
  }

  /** Returns whether a binding is not jOOQ's. */
  static boolean isCustom(Binding<?, ?> binding) {
    return !isJooqs(binding);
  }

  /** Returns whether a select locks rows of a table with one of these names. */
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

  /** Returns whether a lambda expression of jOOQ's own writes the part. */
  static boolean isJooqsLambda(QueryPart part) {
    return Stream.of(part.getClass().getDeclaredFields())
        .filter(field -> Consumer.class.isAssignableFrom(field.getType()))
        .allMatch(field -> isJooqs(readable(field, part)));
  }

  /** Returns whether the object's class, or its lambda expression, belongs to jOOQ. */
  static boolean isJooqs(Object object) {
    return isJooqsClass(object.getClass());
  }

  /** Returns whether the class, or the class that contains the lambda, belongs to jOOQ. */
  static boolean isJooqsClass(Class<?> type) {
    return JOOQS.get(type);
  }

  private static Object readable(Field field, Object object) {
    field.setAccessible(true);
    var value = read(field, object);
    if (value == null) {
      throw new IllegalStateException("jOOQ's field %s is empty".formatted(field));
    }
    return value;
  }

  static Class<?> type(String name) {
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
