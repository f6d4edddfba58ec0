package io.leasehold.db.refuse;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jooq.Configuration;
import org.jooq.ConnectionProvider;
import org.jooq.DiagnosticsListenerProvider;
import org.jooq.ExecuteListenerProvider;
import org.jooq.SQLDialect;
import org.jooq.TransactionProvider;
import org.jooq.VisitListenerProvider;
import org.jooq.impl.DefaultConnectionProvider;
import org.jooq.impl.DefaultExecuteListenerProvider;

/**
 * The transaction's own configuration. Each part that sees or changes a statement or its connection
 * must stay in place: statements of a derived or changed configuration with another such part are
 * refused.
 */
@SuppressWarnings("ReferenceEquality")
public final class UntouchedConfiguration {

  // Settings that do not affect the text of a statement: those for records, results and execution,
  // and those that are useless to tenants.
  private static final List<String> FREE =
      List.of(
          "attach",
          "batch",
          "bind",
          "cache",
          "computedOnClient",
          "debug",
          "delimiter",
          "diagnostics",
          "executeDelete",
          "executeLogging",
          "executeUpdate",
          "executeWith",
          "fetch",
          "insert",
          "largeMaxRows",
          "map",
          "maxRows",
          "meta",
          "migration",
          "parse",
          "queryPoolable",
          "queryTimeout",
          "readonly",
          "record",
          "redact",
          "reflection",
          "renderFormatted",
          "return",
          "throwExceptions",
          "update",
          "warn");

  private static final List<JooqSetting> WRITING =
      JooqSetting.all()
          .filter(setting -> FREE.stream().noneMatch(setting.name()::startsWith))
          .toList();

  // jOOQ's own listeners: one collects the statements of a batch of records and sends them later,
  // the other keeps a loader's statements open.
  private static final Class<?> COLLECTOR =
      OpaqueParts.type("org.jooq.impl.BatchCRUD$QueryCollector");
  private static final Class<?> LOADER =
      OpaqueParts.type("org.jooq.impl.LoaderImpl$CachedPSListener");

  private final VisitListenerProvider[] visiting;
  private final ExecuteListenerProvider[] executing;
  private final ConnectionProvider connections;
  private final TransactionProvider transactions;
  private final List<Class<?>> defaults;

  private UntouchedConfiguration(Configuration own) {
    this.visiting = own.visitListenerProviders();
    this.executing = own.executeListenerProviders();
    this.connections = own.connectionProvider();
    this.transactions = own.transactionProvider();
    this.defaults = defaultsOf(own);
  }

  /** Returns the requirement that statements use the parts of this configuration from now on. */
  public static UntouchedConfiguration of(Configuration own) {
    return new UntouchedConfiguration(own);
  }

  /**
   * Returns whether the configuration sends no statements: they are collected, and other code binds
   * their values.
   */
  public static boolean isCollecting(Configuration configuration) {
    return Stream.of(configuration.executeListenerProviders())
        .anyMatch(provider -> isListening(provider, COLLECTOR));
  }

  /** Refuses a configuration that differs from the transaction's own in a part that matters. */
  public void require(Configuration configuration) {
    if (configuration.dialect() != SQLDialect.POSTGRES) {
      throw refusal("another dialect");
    }
    if (!isOwn(configuration.connectionProvider())) {
      throw refusal("a connection provider of its own");
    }
    if (configuration.transactionProvider() != transactions) {
      throw refusal("a transaction provider of its own");
    }
    if (!isOwn(configuration.visitListenerProviders())) {
      throw refusal("a visit listener of its own");
    }
    if (!isOwn(configuration.executeListenerProviders())) {
      throw refusal("an execute listener of its own");
    }
    if (!defaultsOf(configuration).equals(defaults)) {
      throw refusal("a provider or listener of its own");
    }
    for (var setting : WRITING) { // No stream: this runs for every statement.
      if (setting.isTouchedIn(configuration.settings())) {
        throw refusal("the setting %s changed".formatted(setting.name()));
      }
    }
  }

  // The following parts are compared by identity, since an instance of the same class could wrap
  // another one. A loader has its own provider of the same connection.
  private boolean isOwn(ConnectionProvider provider) {
    return provider == connections
        || (provider.getClass() == DefaultConnectionProvider.class
            && provider.acquire() == connections.acquire());
  }

  private boolean isOwn(VisitListenerProvider[] providers) {
    return providers.length == visiting.length
        && IntStream.range(0, providers.length).allMatch(i -> providers[i] == visiting[i]);
  }

  private boolean isOwn(ExecuteListenerProvider[] providers) {
    var found = 0;
    for (var provider : providers) {
      if (found < executing.length && provider == executing[found]) {
        found++;
      } else if (!isListening(provider, COLLECTOR) && !isListening(provider, LOADER)) {
        return false;
      }
    }
    return found == executing.length;
  }

  private static boolean isListening(ExecuteListenerProvider provider, Class<?> listener) {
    return provider.getClass() == DefaultExecuteListenerProvider.class
        && provider.provide().getClass() == listener;
  }

  // jOOQ creates new instances of these on each call; they have no state.
  private static List<Class<?>> defaultsOf(Configuration configuration) {
    return List.of(
        configuration.unwrapperProvider().getClass(),
        configuration.cacheProvider().getClass(),
        configuration.charsetProvider().getClass(),
        configuration.diagnosticsListenerProviders().length == 0
            ? UntouchedConfiguration.class
            : DiagnosticsListenerProvider.class);
  }

  private static RuntimeException refusal(String what) {
    return Refusal.statement(
        "a configuration with %s cannot be scoped, use the transaction's".formatted(what));
  }
}
