package io.leasehold.arch;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaCodeUnitAccess;
import com.tngtech.archunit.core.domain.PackageMatchers;
import com.tngtech.archunit.lang.ArchRule;
import io.leasehold.arch.find.Calls;
import io.leasehold.arch.find.CodePlaces;
import io.leasehold.arch.find.PlainSql;
import io.leasehold.arch.find.SourceFinding;
import io.leasehold.arch.find.Uses;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * Rules that keep {@code Transactions} the only way to the database.
 *
 * <p>Each rule takes its exemptions: packages, such as {@code com.acme.orders.migrations..}, or
 * full class names.
 */
public final class DatabaseRules {

  private static final Predicate<JavaClass> IS_JDBC =
      inPackages("java.sql..", "javax.sql..", "com.zaxxer.hikari..", "org.postgresql..");

  private static final Predicate<JavaCodeUnitAccess<?>> LEAVES_THE_SCOPE =
      Calls.of("org.jooq.impl.DSL", Set.of("using"))
          .or(
              Calls.of(
                  "org.jooq.DSLContext",
                  Set.of(
                      "connection",
                      "connectionResult",
                      "parser",
                      "parsingConnection",
                      "parsingDataSource",
                      "parsingConnectionFactory",
                      "diagnosticsConnection",
                      "diagnosticsDataSource")))
          .or(Calls.ofConstructor("org.jooq.impl.DefaultDSLContext"))
          .or(Calls.ofAny("org.jooq.Configuration"))
          .or(Calls.ofAny("org.jooq.ConnectionProvider"));

  private static final Predicate<JavaClass> OPENS_DATABASES =
      inPackages("io.leasehold.embedded..", "io.leasehold.testkit..")
          .or(
              named(
                  "io.leasehold.db.SecureDatabase",
                  "io.leasehold.db.SecureDbModule",
                  "io.leasehold.migrations.Migrator",
                  "io.leasehold.migrations.MigrationConfig"));

  private DatabaseRules() {}

  /**
   * No string becomes SQL: neither through methods that jOOQ marks as plain SQL, nor through
   * keywords, hints, unquoted names and custom query parts, which render their string unchanged.
   */
  public static ArchRule noPlainSql(String... except) {
    return SourceFinding.rule(CodePlaces.of(except), "make no plain SQL", PlainSql::in)
        .because("a string can forget its tenant, and jOOQ's DSL is scoped to it");
  }

  /**
   * JDBC, HikariCP and pgjdbc are not used: not in code, signatures or {@code catch}, nor passed
   * through.
   */
  public static ArchRule noJdbc(String... except) {
    return SourceFinding.rule(
            CodePlaces.of(except),
            "not use JDBC, HikariCP or pgjdbc",
            type -> Stream.concat(Uses.in(type, IS_JDBC), Uses.passedOn(type, IS_JDBC)))
        .because("a connection of one's own has no tenant");
  }

  /**
   * Only the scoped {@code DSLContext} is used, and its connection cannot be reached through it.
   */
  public static ArchRule noOwnDsl(String... except) {
    return SourceFinding.rule(
            CodePlaces.of(except),
            "neither make a DSLContext nor reach beneath one",
            type -> Calls.in(type, LEAVES_THE_SCOPE))
        .because("only the transaction's own DSLContext adds the tenant");
  }

  /**
   * Only the named programs open or migrate a database, or start a server: all other code is given
   * {@code Transactions}.
   */
  public static ArchRule noOwnDatabase(String... programs) {
    return SourceFinding.rule(
            CodePlaces.of(programs),
            "neither open, migrate nor start a database",
            type ->
                Stream.concat(Uses.in(type, OPENS_DATABASES), Uses.passedOn(type, OPENS_DATABASES)))
        .because("opening one decides whose rows are seen, and whether it is verified");
  }

  /** Only the named places open a transaction that sees every tenant's rows. */
  public static ArchRule asEngineOnlyIn(String... callers) {
    return onlyCalledIn("io.leasehold.db.Transactions", "asEngine", callers)
        .because("it is the one exception to queries that are tied to a tenant");
  }

  /**
   * A method, on its type or a subtype, is called only from the named places.
   *
   * <p>The type itself may call it, because a method may delegate to an overload with defaults.
   */
  public static ArchRule onlyCalledIn(String type, String method, String... callers) {
    var places = Stream.concat(Stream.of(type), Stream.of(callers)).toArray(String[]::new);
    return SourceFinding.rule(
        CodePlaces.of(places),
        "not call %s.%s".formatted(type, method),
        caller -> Calls.in(caller, Calls.of(type, Set.of(method))));
  }

  private static Predicate<JavaClass> inPackages(String... packages) {
    var matchers = PackageMatchers.of(packages);
    return type -> matchers.test(type.getPackageName());
  }

  private static Predicate<JavaClass> named(String... types) {
    var names = Set.of(types);
    return type -> names.contains(type.getName());
  }
}
