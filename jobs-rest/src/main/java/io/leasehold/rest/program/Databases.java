package io.leasehold.rest.program;

import io.leasehold.embedded.EmbeddedServer;
import io.leasehold.embedded.OtherServer;
import io.leasehold.rest.program.Database.Login;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Finds the database to work on: a given one, else that of an embedded server.
 *
 * @param environment has the users of a given one
 * @param data the folder of the embedded server
 */
public record Databases(Map<String, String> environment, Path data) {

  private static final String NAME = "leasehold";
  private static final String URL = "LEASEHOLD_JDBC_URL";
  private static final String ADMINISTRATOR = "LEASEHOLD_ADMIN_USER";
  private static final String ADMINISTRATOR_PASSWORD = "LEASEHOLD_ADMIN_PASSWORD";

  private static final Map<String, String> VARIABLES =
      Collections.unmodifiableMap(
          new TreeMap<>(
              Map.of(
                  RolePasswords.TENANT, "LEASEHOLD_TENANT_PASSWORD",
                  RolePasswords.ENGINE, "LEASEHOLD_ENGINE_PASSWORD")));

  public Databases {
    if (data.toString().isEmpty()) {
      throw new IllegalArgumentException("--data must be a folder, as in ./data, not ''");
    }
  }

  /**
   * Opens the database, and makes an embedded one where there is none yet.
   *
   * @throws IllegalArgumentException if the environment lacks what a given database needs
   * @throws IllegalStateException if the embedded server does not start
   */
  public Database open(Optional<String> jdbcUrl) {
    return jdbcUrl
        .or(() -> Optional.ofNullable(environment.get(URL)))
        .map(this::given)
        .orElseGet(this::embedded);
  }

  /** Opens the database, and makes none; that of a program which runs at present, too. */
  public Database openExisting(Optional<String> jdbcUrl) {
    if (jdbcUrl.isPresent() || environment.containsKey(URL)) {
      return open(jdbcUrl);
    }
    if (!Files.exists(data.resolve("cluster/PG_VERSION"))) {
      throw new IllegalStateException(
          "there is no database in %s yet: start the program once".formatted(data));
    }
    return EmbeddedServer.runningIn(data).map(this::running).orElseGet(this::embedded);
  }

  private Database given(String url) {
    var jdbcUrl = GivenUrl.checked("the database", url);
    var missing = new ArrayList<String>();
    var passwords = new TreeMap<String, String>();
    VARIABLES.forEach((role, variable) -> passwords.put(role, required(variable, missing)));
    var administrator =
        Optional.ofNullable(environment.get(ADMINISTRATOR))
            .map(user -> new Login(user, required(ADMINISTRATOR_PASSWORD, missing)));
    if (!missing.isEmpty()) {
      throw new IllegalArgumentException(
          "a given database needs the environment variables " + String.join(", ", missing));
    }
    var runtime = RuntimeSettings.of(environment, jdbcUrl, passwords);
    return new Database(jdbcUrl, "given", administrator, passwords, runtime, Optional.empty());
  }

  private String required(String variable, ArrayList<String> missing) {
    var value = environment.get(variable);
    if (value == null) {
      missing.add(variable);
      return "";
    }
    return value;
  }

  private Database running(OtherServer server) {
    return own(
        server.jdbcUrl(NAME), "of a server that runs already", server.password(), Optional.empty());
  }

  private Database embedded() {
    var server = EmbeddedServer.in(data, Map.of());
    try {
      server.ensureDatabase(NAME);
      return own(server.jdbcUrl(NAME), "embedded", server.password(), Optional.of(server));
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private Database own(
      String jdbcUrl, String kind, String password, Optional<EmbeddedServer> server) {
    var passwords = RolePasswords.in(data);
    return new Database(
        jdbcUrl,
        "%s, data in %s".formatted(kind, data.toAbsolutePath().normalize()),
        Optional.of(new Login(EmbeddedServer.SUPERUSER, password)),
        passwords,
        RuntimeSettings.of(environment, jdbcUrl, passwords),
        server);
  }
}
