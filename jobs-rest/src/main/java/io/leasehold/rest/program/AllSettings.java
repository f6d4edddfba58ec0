package io.leasehold.rest.program;

import io.leasehold.engine.EngineConfig;
import io.leasehold.migrations.ModuleMigrations;
import io.leasehold.rest.RestConfig;
import io.leasehold.rest.demo.DemoModule;
import io.leasehold.rest.issuer.DevelopmentIssuer;
import io.leasehold.rest.program.database.Database;
import io.leasehold.rest.program.database.DatabaseSettings;
import io.leasehold.rest.program.database.Databases;
import io.leasehold.rest.settings.Setting;
import io.leasehold.rest.settings.Settings;
import io.leasehold.rest.settings.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Everything that can be set.
 *
 * @param program what the program does
 * @param database which it works on
 * @param engine how it works on jobs
 * @param rest how it serves HTTP
 */
public record AllSettings(
    ProgramSettings program, DatabaseSettings database, EngineConfig engine, RestConfig rest) {

  /** What the program takes from the environment besides settings. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of("LEASEHOLD_CONFIG", "LEASEHOLD_LOG", "LEASEHOLD_TOKEN", "LEASEHOLD_URL");

  /** Addresses that mean all of a machine's. */
  private static final Set<String> ANYWHERE = Set.of("0.0.0.0", "::");

  /**
   * Reads them.
   *
   * @throws io.leasehold.rest.settings.WrongSettings that tells all that are wrong
   */
  public static AllSettings of(Sources sources) {
    var settings = new Settings(sources, OTHER_VARIABLES);
    var program = settings.applied(ProgramSettings.defaults(), ProgramSettings.ALL);
    var database = settings.applied(DatabaseSettings.defaults(), DatabaseSettings.ALL);
    var engine = settings.applied(EngineConfig.defaults(), EngineSettings.ALL);
    var rest = settings.applied(RestConfig.defaults(), RestSettings.ALL);
    database.refuseWhatIsMissing(settings);
    var roles = withRoles(engine, program, settings);
    settings.requireRight();
    return new AllSettings(program, database, roles, rest);
  }

  private static EngineConfig withRoles(
      EngineConfig engine, ProgramSettings program, Settings settings) {
    try {
      return EngineSettings.withRoles(engine, program.roles());
    } catch (IllegalArgumentException e) {
      settings.refuse("leasehold.roles and leasehold.engine.mode: " + e.getMessage());
      return engine;
    }
  }

  /** Every setting there is, for documents. */
  static List<Setting<?, ?>> all() {
    return Stream.<List<? extends Setting<?, ?>>>of(
            ProgramSettings.ALL, DatabaseSettings.ALL, EngineSettings.ALL, RestSettings.ALL)
        .<Setting<?, ?>>flatMap(List::stream)
        .toList();
  }

  /** Finds the database that is meant. */
  public Databases databases() {
    return new Databases(database, program.data());
  }

  /** Whether there are demonstration handlers and jobs. */
  public boolean demonstrates() {
    return program.demo().orElse(!database.isGiven());
  }

  /** Whether tokens of the development issuer are taken. */
  boolean trustsDevelopment() {
    return program.devIssuer().orElse(demonstrates() && !database.isGiven());
  }

  /** Whether the API is served, and no token is taken. */
  boolean letsNobodyIn() {
    return program.is(ProgramRole.API) && rest.issuers().isEmpty() && !trustsDevelopment();
  }

  /** Whether this process submits the demonstration's jobs. */
  boolean submitsDemonstration() {
    return demonstrates() && program.is(ProgramRole.API);
  }

  /** Whose migrations come after the platform's. */
  public List<ModuleMigrations> modules() {
    return demonstrates()
        ? List.of(ModuleMigrations.of(DemoModule.SCHEMA, DemoModule.MIGRATIONS))
        : List.of();
  }

  /** What runs in the process. */
  ServiceModule module(Database opened, Optional<DevelopmentIssuer> issuer) {
    var issuers = new ArrayList<>(rest.issuers());
    issuer.map(DevelopmentIssuer::trusted).ifPresent(issuers::add);
    var served = rest.issuers(issuers).apiOn(program.is(ProgramRole.API));
    return new ServiceModule(opened.runtime(), engineInItsPlace(), served, demonstrates());
  }

  // Processes of a database that is given may be on several machines: which folder they share is
  // theirs to say.
  EngineConfig engineInItsPlace() {
    var its = engine.outputs();
    return its.folder().isPresent() || database.isGiven()
        ? engine
        : engine.outputs(its.folder(program.data().resolve("outputs")));
  }

  /**
   * Where a client on this machine finds a server that was told the same. What else is wrong with
   * the settings is no matter of the client's.
   */
  public static String ownUrl(Sources sources) {
    var rest =
        new Settings(sources, OTHER_VARIABLES).applied(RestConfig.defaults(), RestSettings.ALL);
    // One that takes any port that is free is found by its ready file alone.
    return url(rest, rest.port() == 0 ? RestConfig.defaults().port() : rest.port());
  }

  /** Where HTTP is served, as a client on this machine finds it. */
  String url(int port) {
    return url(rest, port);
  }

  private static String url(RestConfig rest, int port) {
    var host = ANYWHERE.contains(rest.host()) ? "localhost" : rest.host();
    return "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
  }
}
