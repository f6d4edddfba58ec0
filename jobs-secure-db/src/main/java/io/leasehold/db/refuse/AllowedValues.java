package io.leasehold.db.refuse;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.sql.Date;
import java.sql.Time;
import java.sql.Timestamp;
import java.util.Set;
import org.jooq.Context;
import org.jooq.Decfloat;
import org.jooq.Param;
import org.jooq.conf.ParamType;
import org.jspecify.annotations.Nullable;

/** Refuses values that could write more than the value itself. */
final class AllowedValues {

  // jOOQ writes the result of toString for these types without quotes, and a subclass can return
  // any text.
  private static final Set<Class<?>> WRITTEN_AS_THEY_ARE =
      Set.of(BigDecimal.class, BigInteger.class, Date.class, Time.class, Timestamp.class);

  private AllowedValues() {}

  static void require(Param<?> param, Context<?> context) {
    if (OpaqueParts.isCustom(param.getBinding())) {
      throw Refusal.statement(
          "a custom binding writes SQL that cannot be scoped, use a converter: %s"
              .formatted(param.getBinding().getClass().getName()));
    }
    if (isDecfloat(param.getDataType().getFromType()) || param.getValue() instanceof Decfloat) {
      throw Refusal.statement("PostgreSQL has no type decfloat, use a BigDecimal");
    }
    if (param.isInline() || context.paramType() != ParamType.INDEXED) {
      requireInline(param);
    }
  }

  private static void requireInline(Param<?> param) {
    var type = param.getDataType();
    var written = componentOf(type.getFromType());
    if (written != componentOf(type.getType()) && isWrittenAsItIs(written)) {
      throw Refusal.statement(
          "a converter's %s cannot be inlined, bind it with val(…)".formatted(written.getName()));
    }
    requireExact(param.getValue());
  }

  private static void requireExact(@Nullable Object value) {
    switch (value) {
      case Object[] values -> {
        for (var element : values) {
          requireExact(element);
        }
      }
      case null -> {}
      default -> {
        if (isWrittenAsItIs(value.getClass()) && !WRITTEN_AS_THEY_ARE.contains(value.getClass())) {
          throw Refusal.statement(
              "a %s cannot be inlined, bind it with val(…)".formatted(value.getClass().getName()));
        }
      }
    }
  }

  private static boolean isWrittenAsItIs(Class<?> type) {
    return WRITTEN_AS_THEY_ARE.stream().anyMatch(known -> known.isAssignableFrom(type))
        || isDecfloat(type);
  }

  private static boolean isDecfloat(Class<?> type) {
    return componentOf(type) == Decfloat.class;
  }

  private static Class<?> componentOf(Class<?> type) {
    var component = type;
    while (component.isArray()) {
      component = component.getComponentType();
    }
    return component;
  }
}
