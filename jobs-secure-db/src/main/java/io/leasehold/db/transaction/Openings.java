package io.leasehold.db.transaction;

import static org.jooq.impl.DSL.function;
import static org.jooq.impl.DSL.inline;
import static org.jooq.impl.DSL.name;
import static org.jooq.impl.DSL.param;
import static org.jooq.impl.DSL.select;

import io.leasehold.db.TransactionOptions;
import io.leasehold.db.connection.Opening;
import io.leasehold.db.connection.Opening.Value;
import io.leasehold.db.connection.TenantProof;
import io.leasehold.db.schema.Leasehold;
import io.leasehold.jobs.SecurityContext;
import io.leasehold.jobs.TenantId;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jooq.DSLContext;
import org.jooq.Field;
import org.jooq.SQLDialect;
import org.jooq.impl.DSL;

/**
 * Creates the openings of transactions, which set the tenants and the time limits. The settings of
 * an opening end with the transaction. Safe to share between threads.
 */
final class Openings {

  private static final DSLContext WRITER = DSL.using(SQLDialect.POSTGRES);

  /** The search path for names, whatever earlier statements left on the connection. */
  private static final Field<?> SEARCH_PATH = set("search_path", inline("pg_catalog, pg_temp"));

  /** First, because it resets all settings of the session. */
  private static final Field<?> ENTER =
      function(
          Leasehold.LEASEHOLD.getQualifiedName().append(name("enter_tenant")),
          Object.class,
          value(),
          value());

  private final TenantProof proof;
  private final Kind engine;
  private final Kind tenant;
  private final Kind call;

  Openings(Limits limits, TenantProof proof) {
    this.proof = proof;
    this.engine = new Kind(limits::of, Openings::engineText);
    this.tenant = new Kind(limits::of, Openings::tenantText);
    this.call = new Kind(limits::ofCall, Openings::callText);
  }

  /** The text and limits for one kind of opening. Safe to share between threads. */
  private static final class Kind {

    private final Function<TransactionOptions, Map<String, String>> settings;
    private final Function<Collection<String>, String> text;
    private final Map<Collection<String>, String> texts = new ConcurrentHashMap<>();
    private final Limited usual;

    /**
     * Creates a kind whose settings follow from the options. Its text depends on the names of those
     * settings.
     */
    Kind(
        Function<TransactionOptions, Map<String, String>> settings,
        Function<Collection<String>, String> text) {
      this.settings = settings;
      this.text = text;
      this.usual = make(TransactionOptions.defaults());
    }

    Limited of(TransactionOptions options) {
      return options.statementTimeout().isEmpty() && options.timeout().isEmpty()
          ? usual
          : make(options);
    }

    // There are four sets of names, with one text for each.
    private Limited make(TransactionOptions options) {
      var limits = settings.apply(options);
      return new Limited(
          texts.computeIfAbsent(limits.keySet(), text),
          limits.values().stream().<Value>map(value -> _ -> value).toList());
    }
  }

  /** A text with the values of its limits. */
  private record Limited(String sql, List<Value> values) {}

  /** Returns the opening for a transaction of the engine. */
  Opening ofEngine(TransactionOptions options) {
    var limited = engine.of(options);
    return new Opening(limited.sql(), limited.values(), limited.sql().isEmpty() ? 0 : 1);
  }

  /** Returns the opening for a transaction of the caller's tenant. */
  Opening ofTenant(SecurityContext caller, TransactionOptions options) {
    var limited = tenant.of(options);
    return new Opening(limited.sql(), entering(caller, limited.values()), 1);
  }

  /** Returns such an opening as a part of the only statement of its transaction. */
  Opening ofCall(SecurityContext caller, TransactionOptions options) {
    var limited = call.of(options);
    return new Opening(limited.sql(), entering(caller, limited.values()), 0);
  }

  private List<Value> entering(SecurityContext caller, List<Value> limits) {
    var tenants = tenants(caller);
    var values = new ArrayList<Value>(limits.size() + 2);
    values.add(_ -> tenants);
    values.add(connection -> proof.of(tenants, connection));
    values.addAll(limits);
    return values;
  }

  private static String engineText(Collection<String> settings) {
    return settings.isEmpty() ? "" : render(setAll(settings)) + "; ";
  }

  private static String tenantText(Collection<String> settings) {
    return render(Stream.concat(Stream.of(ENTER, SEARCH_PATH), setAll(settings))) + "; ";
  }

  private static String callText(Collection<String> settings) {
    return render(Stream.concat(Stream.of(ENTER), setAll(settings)));
  }

  /** Returns the writable tenant, followed by the readable ones. */
  private static String tenants(SecurityContext caller) {
    var own = caller.tenant();
    var readable = caller.readableTenants();
    return readable.size() == 1 // The usual case: the own tenant.
        ? own.toString()
        : Stream.concat(Stream.of(own), readable.stream().filter(other -> !other.equals(own)))
            .map(TenantId::toString)
            .collect(Collectors.joining(","));
  }

  private static Stream<Field<?>> setAll(Collection<String> names) {
    return names.stream().flatMap(name -> Stream.concat(lift(name), Stream.of(set(name, value()))));
  }

  // Once this limit is active, the server keeps to it whatever is set next, unless that is zero.
  private static Stream<Field<?>> lift(String name) {
    return name.equals(Limits.TRANSACTION) ? Stream.of(set(name, inline("0"))) : Stream.empty();
  }

  private static Field<String> set(String name, Field<String> value) {
    return function(
        name("pg_catalog", "set_config"), String.class, inline(name), value, inline(true));
  }

  private static Field<String> value() {
    return param("value", String.class);
  }

  private static String render(Stream<Field<?>> fields) {
    return WRITER.render(select(fields.toList()));
  }
}
