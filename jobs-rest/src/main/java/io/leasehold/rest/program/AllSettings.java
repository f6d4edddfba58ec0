package io.leasehold.rest.program;

import io.leasehold.engine.EngineConfig;
import io.leasehold.migrations.ModuleMigrations;
import io.leasehold.rest.RestConfig;
import io.leasehold.rest.demo.DemoModule;
import io.leasehold.rest.issuer.DevelopmentIssuer;
import io.leasehold.rest.program.database.Database;
import io.leasehold.rest.program.database.DatabaseSettings;
import io.leasehold.rest.program.database.Databases;
import io.leasehold.rest.program.settings.EngineSettings;
import io.leasehold.rest.program.settings.ProgramRole;
import io.leasehold.rest.program.settings.ProgramSettings;
import io.leasehold.rest.program.settings.RestSettings;
import io.leasehold.rest.settings.Setting;
import io.leasehold.rest.settings.Settings;
import io.leasehold.rest.settings.Sources;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * All settings of the program.
 *
 * @param program what the program does
 * @param database the database that it works on
 * @param engine how it processes jobs
 * @param rest how it serves HTTP
 */
public record AllSettings(
    ProgramSettings program, DatabaseSettings database, EngineConfig engine, RestConfig rest) {

  /** Environment variables of the program that are not settings. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of("LEASEHOLD_CONFIG", "LEASEHOLD_LOG", "LEASEHOLD_TOKEN", "LEASEHOLD_URL");

  /** Wildcard addresses, which stand for all addresses of a machine. */
  private static final Set<String> ANYWHERE = Set.of("0.0.0.0", "::");

  /**
   * Reads the settings.
   *
   * @throws io.leasehold.rest.settings.WrongSettings with all settings that are wrong
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

  /** Returns every setting there is, for the documentation. */
  static List<Setting<?, ?>> all() {
    return Stream.<List<? extends Setting<?, ?>>>of(
            ProgramSettings.ALL, DatabaseSettings.ALL, EngineSettings.ALL, RestSettings.ALL)
        .<Setting<?, ?>>flatMap(List::stream)
        .toList();
  }

  /** Returns access to the configured database. */
  public Databases databases() {
    return new Databases(database, program.data());
  }

  /** Whether there are demonstration handlers and jobs. */
  public boolean demonstrates() {
    return program.demo().orElse(!database.isGiven());
  }

  /** Whether tokens of the development issuer are taken. */
  public boolean trustsDevelopment() {
    return program.devIssuer().orElse(demonstrates() && !database.isGiven());
  }

  /** Whether the API is served, and no token is taken. */
  public boolean letsNobodyIn() {
    return program.is(ProgramRole.API) && rest.issuers().isEmpty() && !trustsDevelopment();
  }

  /** Whether this process submits the demonstration's jobs. */
  public boolean submitsDemonstration() {
    return demonstrates() && program.is(ProgramRole.API);
  }

  /** The modules whose migrations run after the platform's. */
  public List<ModuleMigrations> modules() {
    return demonstrates()
        ? List.of(ModuleMigrations.of(DemoModule.SCHEMA, DemoModule.MIGRATIONS))
        : List.of();
  }

  /** What runs in the process. */
  public ServiceModule module(Database opened, Optional<DevelopmentIssuer> issuer) {
    var issuers = new ArrayList<>(rest.issuers());
    issuer.map(DevelopmentIssuer::trusted).ifPresent(issuers::add);
    var served = rest.issuers(issuers).apiOn(program.is(ProgramRole.API));
    return new ServiceModule(opened.runtime(), engineInItsPlace(), served, demonstrates());
  }

  // The processes of an external database may be on several machines, so the settings must name the
  // folder that they share.
  EngineConfig engineInItsPlace() {
    var outputs = engine.outputs();
    return outputs.folder().isPresent() || database.isGiven()
        ? engine
        : engine.outputs(outputs.folder(program.data().resolve("outputs")));
  }

  /**
   * Returns the URL at which a client on this machine finds a server with the same settings. Errors
   * in other settings do not concern the client.
   */
  public static String ownUrl(Sources sources) {
    var rest =
        new Settings(sources, OTHER_VARIABLES).applied(RestConfig.defaults(), RestSettings.ALL);
    // A server that takes any free port can be found only through its ready file.
    return url(rest, rest.port() == 0 ? RestConfig.defaults().port() : rest.port());
  }

  /** Where HTTP is served, as a client on this machine finds it. */
  public String url(int port) {
    return url(rest, port);
  }

  private static String url(RestConfig rest, int port) {
    var host = ANYWHERE.contains(rest.host()) ? "localhost" : rest.host();
    return "http://%s:%d".formatted(host.contains(":") ? "[" + host + "]" : host, port);
  }
}
