package io.leasehold.db.refuse;

import java.lang.invoke.MethodHandleProxies;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.conf.RenderMapping;
import org.jooq.conf.Settings;
import org.jspecify.annotations.Nullable;

/**
 * One of jOOQ's settings.
 *
 * <p>Each statement reads dozens of them, so the getters are called without reflection. The
 * settings' own equals method is too long for Java to compile it.
 *
 * @param jooqs jOOQ's default value
 */
record JooqSetting(
    String name, Function<Settings, @Nullable Object> value, @Nullable Object jooqs) {

  /** Returns all existing settings. */
  static Stream<JooqSetting> all() {
    return Stream.of(Settings.class.getMethods())
        .filter(method -> method.getParameterCount() == 0)
        .filter(method -> method.getName().matches("(?:get|is)[A-Z].*"))
        .filter(method -> method.getDeclaringClass() == Settings.class)
        .map(JooqSetting::of);
  }

  private static JooqSetting of(Method getter) {
    var value = function(getter);
    return new JooqSetting(nameOf(getter), value, value.apply(new Settings()));
  }

  /** Returns whether the value differs from jOOQ's default. */
  boolean isTouchedIn(Settings settings) {
    var current = value.apply(settings);
    return !Objects.equals(current, jooqs) && !isEmpty(current);
  }

  // jOOQ itself replaces a missing mapping with an empty one.
  private static boolean isEmpty(@Nullable Object value) {
    return value instanceof RenderMapping mapping
        && isBlank(mapping.getDefaultCatalog())
        && isBlank(mapping.getDefaultSchema())
        && mapping.getCatalogs().isEmpty()
        && mapping.getSchemata().isEmpty();
  }

  private static boolean isBlank(@Nullable String name) {
    return name == null || name.isEmpty();
  }

  @SuppressWarnings("unchecked")
  private static Function<Settings, @Nullable Object> function(Method getter) {
    try {
      return MethodHandleProxies.asInterfaceInstance(
          Function.class, MethodHandles.publicLookup().unreflect(getter));
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("jOOQ's setting %s cannot be read".formatted(getter), e);
    }
  }

  private static String nameOf(Method getter) {
    var name = getter.getName().substring(getter.getName().startsWith("is") ? 2 : 3);
    return name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
  }
}
