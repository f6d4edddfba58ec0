package io.leasehold.db.refuse;

import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jooq.Configuration;
import org.jooq.SQLDialect;
import org.jooq.VisitListener;
import org.jooq.conf.Settings;
import org.jspecify.annotations.Nullable;

/**
 * Refuses statements of a configuration that was derived from the transaction's with something in
 * it that writes SQL after, or otherwise than, the scoping sees it.
 */
public final class UntouchedConfiguration {

  /**
   * A setting that decides over the text of a statement; the rest of the settings is free.
   *
   * @param expected the value that jOOQ has by itself
   */
  private record Writing(
      String name, Function<Settings, @Nullable Object> value, @Nullable Object expected) {

    static Writing of(String name, Function<Settings, @Nullable Object> value) {
      return new Writing(name, value, value.apply(new Settings()));
    }

    void requireUntouched(Settings settings) {
      if (!Objects.equals(value.apply(settings), expected)) {
        throw refusal("the setting %s changed".formatted(name));
      }
    }
  }

  private static final List<Writing> WRITINGS =
      List.of(
          Writing.of("renderCatalog", Settings::isRenderCatalog),
          Writing.of("renderSchema", Settings::isRenderSchema),
          Writing.of("renderTable", Settings::getRenderTable),
          Writing.of("renderMapping", UntouchedConfiguration::maps),
          Writing.of("renderQuotedNames", Settings::getRenderQuotedNames),
          Writing.of("renderNameCase", Settings::getRenderNameCase),
          Writing.of("renderNamedParamPrefix", Settings::getRenderNamedParamPrefix),
          Writing.of("renderFormatting", Settings::getRenderFormatting),
          Writing.of("renderDollarQuotedStringToken", Settings::getRenderDollarQuotedStringToken),
          Writing.of("renderPlainSQLTemplatesAsRaw", Settings::isRenderPlainSQLTemplatesAsRaw),
          Writing.of("backslashEscaping", Settings::getBackslashEscaping),
          Writing.of("paramType", Settings::getParamType),
          Writing.of("statementType", Settings::getStatementType),
          Writing.of("transformInlineCTE", Settings::getTransformInlineCTE));

  // Of jOOQ itself, and of the transaction.
  private static final List<String> EXECUTION =
      List.of("org.jooq.", "io.leasehold.db.transaction.");

  private UntouchedConfiguration() {}

  public static void require(Configuration configuration, VisitListener scoping) {
    var listeners = configuration.visitListenerProviders();
    if (listeners.length != 1 || !Objects.equals(listeners[0].provide(), scoping)) {
      throw refusal("a visit listener of its own");
    }
    if (!Stream.of(configuration.executeListenerProviders())
        .allMatch(provider -> isKnown(provider.provide().getClass().getName()))) {
      throw refusal("an execute listener of its own");
    }
    if (configuration.dialect() != SQLDialect.POSTGRES) {
      throw refusal("another dialect");
    }
    WRITINGS.forEach(writing -> writing.requireUntouched(configuration.settings()));
  }

  private static boolean maps(Settings settings) {
    var mapping = settings.getRenderMapping();
    return mapping != null
        && !(isBlank(mapping.getDefaultCatalog())
            && isBlank(mapping.getDefaultSchema())
            && mapping.getCatalogs().isEmpty()
            && mapping.getSchemata().isEmpty());
  }

  private static boolean isBlank(@Nullable String name) {
    return name == null || name.isEmpty();
  }

  private static boolean isKnown(String listener) {
    return EXECUTION.stream().anyMatch(listener::startsWith);
  }

  private static RuntimeException refusal(String what) {
    return Refusal.statement(
        "a configuration with %s cannot be scoped, use the transaction's".formatted(what));
  }
}
