package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.AccessTarget.CodeUnitAccessTarget;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.properties.HasName;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Finds calls that turn a string into SQL.
 *
 * <p>jOOQ marks most of its own methods with {@code @PlainSQL}, which is kept in the class file.
 * Methods do not inherit the mark, so the supertypes of the called type are checked as well: {@code
 * DefaultDSLContext.fetch(String)} has no mark. Some members without the mark render their string
 * unchanged, or call any function as an aggregate; they are listed here.
 */
public final class PlainSql {

  private static final String MARK = "org.jooq.PlainSQL";
  private static final String JOOQ = "org.jooq.";

  // The methods of Object are not found in an interface.
  private static final Set<String> OF_OBJECT =
      Set.of("getClass", "equals", "hashCode", "toString", "notify", "notifyAll", "wait");

  private static final Predicate<JavaCodeUnitAccess<?>> UNMARKED =
      Calls.of(
              "org.jooq.impl.DSL",
              Set.of("keyword", "unquotedName", "systemName", "aggregate", "aggregateDistinct"))
          .or(Calls.of("org.jooq.Name", Set.of("unquotedName")))
          .or(Calls.of("org.jooq.Context", Set.of("sql", "sqlIndentStart", "sqlIndentEnd")))
          .or(Calls.of("org.jooq.ExecuteContext", Set.of("sql")).and(Calls::takesText))
          .or(Calls.of("org.jooq.QueryPart", Set.of("hint", "option", "addHint", "addOption")))
          .or(Calls.of("org.jooq.DSLContext", Set.of("meta")).and(Calls::takesText))
          .or(Calls.of("org.jooq.Meta", Set.of("apply")).and(Calls::takesText))
          .or(Calls.ofAny("org.jooq.TableOptions").and(Calls::takesText))
          .or(Calls.ofAny("org.jooq.Decfloat").and(Calls::takesText))
          .or(Calls.ofAny("org.jooq.impl.Internal").and(Calls::takesText))
          .or(Calls.ofConstructor("org.jooq.impl.DefaultDataType"))
          .or(Calls.ofConstructor("org.jooq.impl.BuiltInDataType"))
          .or(Calls.of("org.jooq.impl.DefaultDataType", Set.of("getDefaultDataType")))
          .or(PlainSql::rendersByItself);

  private PlainSql() {}

  public static Stream<String> in(JavaClass type) {
    return Stream.concat(
        Calls.in(type, PlainSql::isPlain),
        Calls.in(type, PlainSql::isUnknown)
            .map(call -> call + ", which cannot be looked up: is jOOQ on the class path?"));
  }

  private static boolean isPlain(JavaCodeUnitAccess<?> call) {
    return !OF_OBJECT.contains(call.getName())
        && (isMarked(call.getTarget()) || UNMARKED.test(call));
  }

  private static boolean isMarked(CodeUnitAccessTarget target) {
    var owner = target.getOwner();
    return owner.isAnnotatedWith(MARK)
        || target.resolveMember().filter(it -> it.isAnnotatedWith(MARK)).isPresent()
        || Stream.concat(
                owner.getAllRawSuperclasses().stream(), owner.getAllRawInterfaces().stream())
            .anyMatch(supertype -> isMarked(supertype, target));
  }

  private static boolean isMarked(JavaClass supertype, CodeUnitAccessTarget target) {
    var parameters = HasName.Utils.namesOf(target.getRawParameterTypes());
    return supertype
        .tryGetMethod(target.getName(), parameters.toArray(String[]::new))
        .filter(method -> method.isAnnotatedWith(MARK))
        .isPresent();
  }

  // CustomField, CustomCondition, CustomQueryPart and others are made for writing SQL by hand.
  private static boolean rendersByItself(JavaCodeUnitAccess<?> call) {
    return call.getTargetOwner().getName().startsWith(JOOQ + "impl.Custom");
  }

  private static boolean isUnknown(JavaCodeUnitAccess<?> call) {
    return call.getTargetOwner().getName().startsWith(JOOQ)
        && !OF_OBJECT.contains(call.getName())
        && call.getTarget().resolveMember().isEmpty();
  }
}
