package io.leasehold.arch.find;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaField;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.domain.PackageMatchers;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Recognises types whose values do not change: those listed, records, enums, lambdas, and classes
 * whose fields are all final and of such a type.
 */
final class ImmutableTypes {

  private static final PackageMatchers PACKAGES =
      PackageMatchers.of("java.time..", "java.util.regex", "java.lang.invoke", "java.lang.reflect");

  private static final Set<String> NAMES =
      Set.of(
          "java.lang.String",
          "java.lang.Boolean",
          "java.lang.Byte",
          "java.lang.Short",
          "java.lang.Character",
          "java.lang.Integer",
          "java.lang.Long",
          "java.lang.Float",
          "java.lang.Double",
          "java.lang.Class",
          "java.lang.ClassValue",
          "java.lang.ScopedValue",
          "java.math.BigDecimal",
          "java.math.BigInteger",
          "java.net.URI",
          "java.nio.charset.Charset",
          "java.nio.file.Path",
          "java.util.Currency",
          "java.util.HexFormat",
          "java.util.Locale",
          "java.util.Optional",
          "java.util.OptionalInt",
          "java.util.OptionalLong",
          "java.util.UUID",
          "com.google.inject.Key",
          "com.google.inject.TypeLiteral",
          "com.tngtech.archunit.core.domain.PackageMatchers");

  private static final List<String> ABOVE =
      List.of(
          "java.lang.Enum",
          "java.lang.Record",
          "java.lang.System$Logger",
          "org.slf4j.Logger",
          "org.jooq.Converter",
          "org.jooq.DataType",
          "org.jooq.QueryPart",
          "com.google.common.collect.ImmutableCollection",
          "com.google.common.collect.ImmutableMap");

  // The mutable one among jOOQ's query parts: it receives its bind values and clauses one by one.
  private static final String QUERY = "org.jooq.Query";

  private ImmutableTypes() {}

  static boolean contain(JavaClass type) {
    return type.isPrimitive()
        || NAMES.contains(type.getName())
        || (PACKAGES.test(type.getPackageName()) && !type.isArray())
        || type.isAnnotatedWith(FunctionalInterface.class)
        || (ABOVE.stream().anyMatch(type::isAssignableTo) && !type.isAssignableTo(QUERY))
        || (isOfOwnMaking(type) && fields(type).allMatch(ImmutableTypes::isConstant));
  }

  // Not all fields are visible in classes of the JDK, or in classes known only by name.
  private static boolean isOfOwnMaking(JavaClass type) {
    return type.isFullyImported()
        && !type.isInterface()
        && !type.isArray()
        && !type.getPackageName().startsWith("java.");
  }

  private static Stream<JavaField> fields(JavaClass type) {
    return type.getAllFields().stream()
        .filter(field -> !field.getModifiers().contains(JavaModifier.STATIC));
  }

  // A class with a collection field is trusted to have copied the collection, as records do.
  private static boolean isConstant(JavaField field) {
    var type = field.getRawType();
    return field.getModifiers().contains(JavaModifier.FINAL)
        && !type.equals(field.getOwner())
        && (MutableStatics.isCollection(type) || contain(type));
  }
}
