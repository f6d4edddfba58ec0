package io.leasehold.db.scope;

import java.util.List;
import java.util.Map;
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
final class UntouchedConfiguration {

  // What decides over the text of a statement; the rest of the settings is free.
  private static final Map<String, Function<Settings, @Nullable Object>> WRITING =
      Map.ofEntries(
          Map.entry("renderCatalog", Settings::isRenderCatalog),
          Map.entry("renderSchema", Settings::isRenderSchema),
          Map.entry("renderTable", Settings::getRenderTable),
          Map.entry("renderMapping", UntouchedConfiguration::maps),
          Map.entry("renderQuotedNames", Settings::getRenderQuotedNames),
          Map.entry("renderNameCase", Settings::getRenderNameCase),
          Map.entry("renderNamedParamPrefix", Settings::getRenderNamedParamPrefix),
          Map.entry("renderFormatting", Settings::getRenderFormatting),
          Map.entry("renderDollarQuotedStringToken", Settings::getRenderDollarQuotedStringToken),
          Map.entry("renderPlainSQLTemplatesAsRaw", Settings::isRenderPlainSQLTemplatesAsRaw),
          Map.entry("backslashEscaping", Settings::getBackslashEscaping),
          Map.entry("paramType", Settings::getParamType),
          Map.entry("statementType", Settings::getStatementType),
          Map.entry("transformInlineCTE", Settings::getTransformInlineCTE));

  private static final Settings DEFAULTS = new Settings();

  // Of jOOQ itself, and of the transaction.
  private static final List<String> EXECUTION =
      List.of("org.jooq.", "io.leasehold.db.transaction.");

  private UntouchedConfiguration() {}

  static void require(Configuration configuration, VisitListener scoping) {
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
    WRITING.forEach(
        (name, value) -> {
          if (!Objects.equals(value.apply(configuration.settings()), value.apply(DEFAULTS))) {
            throw refusal("the setting %s changed".formatted(name));
          }
        });
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
