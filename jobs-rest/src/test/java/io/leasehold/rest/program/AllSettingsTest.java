package io.leasehold.rest.program;

import static java.util.Locale.ROOT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.db.DbConfig;
import io.leasehold.db.Secret;
import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.OutputConfig;
import io.leasehold.rest.RestConfig;
import io.leasehold.rest.RestLimits;
import io.leasehold.rest.TokenIssuer;
import io.leasehold.rest.program.settings.NewIssuer;
import io.leasehold.rest.program.settings.ProgramRole;
import io.leasehold.rest.program.settings.ProgramSettings;
import io.leasehold.rest.settings.Setting;
import io.leasehold.rest.settings.Sources;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AllSettingsTest {

  /** Each setting, with a value that is not its default. */
  private static final Map<String, String> VALUES =
      Map.ofEntries(
          Map.entry("roles", "api, worker"),
          Map.entry("data", "elsewhere"),
          Map.entry("ready-file", "program.ready"),
          Map.entry("demo", "on"),
          Map.entry("dev-issuer", "on"),
          Map.entry("stop-grace", "7s"),
          Map.entry("jdbc-url", "jdbc:postgresql://db/service"),
          Map.entry("admin-user", "admin"),
          Map.entry("admin-password", "one"),
          Map.entry("tenant-password", "two"),
          Map.entry("engine-password", "three"),
          Map.entry("tenant-user", "app"),
          Map.entry("engine-user", "worker"),
          Map.entry("tenant-connections", "11"),
          Map.entry("engine-connections", "12"),
          Map.entry("idle-timeout", "17s"),
          Map.entry("connect-timeout", "13s"),
          Map.entry("start-timeout", "18s"),
          Map.entry("statement-timeout", "14s"),
          Map.entry("transaction-timeout", "15s"),
          Map.entry("lock-timeout", "16s"),
          Map.entry("notifications", "off"),
          Map.entry("listen-url", "jdbc:postgresql://direct/service"),
          Map.entry("fsync-required", "off"),
          Map.entry("engine.worker-name", "worker-7"),
          Map.entry("engine.mode", "direct"),
          Map.entry("engine.concurrency", "21"),
          Map.entry("engine.concurrency-of", "reports=5,mail=2"),
          Map.entry("engine.direct-concurrency", "22"),
          Map.entry("engine.memory-concurrency", "23"),
          Map.entry("engine.memory-capacity", "24"),
          Map.entry("engine.memory-kept", "25s"),
          Map.entry("engine.lease", "26s"),
          Map.entry("engine.rescue-every", "27s"),
          Map.entry("engine.stale-after", "36s"),
          Map.entry("engine.poll-every", "28s"),
          Map.entry("engine.watch-every", "34s"),
          Map.entry("engine.cancel-grace", "29s"),
          Map.entry("engine.writes-per-second", "30"),
          Map.entry("engine.events-most", "31"),
          Map.entry("engine.days-ahead", "32"),
          Map.entry("engine.retention", "33d"),
          Map.entry("engine.outputs.folder", "/shared"),
          Map.entry("engine.outputs.bytes-most", "35m"),
          Map.entry("rest.host", "0.0.0.0"),
          Map.entry("rest.port", "41"),
          Map.entry("rest.commands-on", "off"),
          Map.entry("rest.admin-role", "boss"),
          Map.entry("rest.metrics-open", "off"),
          Map.entry(
              "rest.issuers",
              "[{ issuer = me, audience = you, jwks = \"file:/keys.json\", algorithms = [ES256],"
                  + " tenant-claim = t, roles-claim = r, skew = 5s }]"),
          Map.entry("rest.limits.body-most", "4096"),
          Map.entry("rest.limits.header-most", "2048"),
          Map.entry("rest.limits.token-most", "1024"),
          Map.entry("rest.limits.requests-per-second", "51"),
          Map.entry("rest.limits.requests-burst", "52"),
          Map.entry("rest.limits.requests-per-second-of-principal", "53"),
          Map.entry("rest.limits.requests-burst-of-principal", "54"),
          Map.entry("rest.limits.streams-per-tenant", "55"),
          Map.entry("rest.limits.streams-per-principal", "56"),
          Map.entry("rest.limits.answers-per-tenant", "60"),
          Map.entry("rest.limits.slow-after", "57s"),
          Map.entry("rest.limits.header-timeout", "58s"),
          Map.entry("rest.limits.keep-alive-every", "59s"),
          Map.entry("rest.limits.wait-most", "9s"));

  @TempDir private Path folder;

  @Test
  void areAllCoveredByThisTest() {
    assertThat(VALUES.keySet().stream().map(it -> "leasehold." + it))
        .containsExactlyInAnyOrderElementsOf(AllSettings.all().stream().map(Setting::key).toList());
  }

  @Test
  void areTakenFromTheEnvironment() throws Exception {
    assertTaken(byVariables());
  }

  @Test
  void areTakenFromAFile() throws Exception {
    assertTaken(inFile());
  }

  private static void assertTaken(AllSettings settings) {
    assertThat(settings.program())
        .isEqualTo(
            new ProgramSettings(
                Set.of(ProgramRole.API, ProgramRole.WORKER),
                Path.of("elsewhere"),
                Optional.of(Path.of("program.ready")),
                Optional.of(true),
                Optional.of(true),
                Optional.of(Duration.ofSeconds(7))));
    assertThat(settings.engine()).usingRecursiveComparison().isEqualTo(engine());
    assertThat(settings.rest()).usingRecursiveComparison().isEqualTo(rest());
    assertDatabase(settings);
  }

  private static void assertDatabase(AllSettings settings) {
    try (var database = settings.databases().open()) {
      assertThat(database.runtime()).usingRecursiveComparison().isEqualTo(runtime());
      assertThat(database.migration().orElseThrow().user()).isEqualTo("admin");
      assertThat(database.migration().orElseThrow().password()).isEqualTo("one");
    }
  }

  private static DbConfig runtime() {
    return DbConfig.of("jdbc:postgresql://db/service", new Secret("two"), new Secret("three"))
        .tenantUser("app")
        .engineUser("worker")
        .tenantConnections(11)
        .engineConnections(12)
        .idleTimeout(Duration.ofSeconds(17))
        .connectTimeout(Duration.ofSeconds(13))
        .startTimeout(Duration.ofSeconds(18))
        .statementTimeout(Duration.ofSeconds(14))
        .transactionTimeout(Duration.ofSeconds(15))
        .lockTimeout(Duration.ofSeconds(16))
        .notifications(false)
        .listenUrl("jdbc:postgresql://direct/service")
        .fsyncRequired(false)
        .build();
  }

  private static EngineConfig engine() {
    return EngineConfig.defaults()
        .workerName("worker-7")
        .mode(EngineConfig.Mode.DIRECT)
        .concurrency(21)
        .concurrencyOf(Map.of("reports", 5, "mail", 2))
        .directConcurrency(22)
        .memoryConcurrency(23)
        .memoryCapacity(24)
        .memoryKept(Duration.ofSeconds(25))
        .lease(Duration.ofSeconds(26))
        .rescueEvery(Duration.ofSeconds(27))
        .staleAfter(Duration.ofSeconds(36))
        .pollEvery(Duration.ofSeconds(28))
        .cancelGrace(Duration.ofSeconds(29))
        .writesPerSecond(30)
        .eventsMost(31)
        .daysAhead(32)
        .watchEvery(Duration.ofSeconds(34))
        .roles(Set.of(EngineConfig.Role.WORKER))
        .retention(Duration.ofDays(33))
        .outputs(OutputConfig.defaults().folder(Path.of("/shared")).bytesMost(35L << 20));
  }

  private static RestConfig rest() {
    var limits =
        RestLimits.defaults()
            .bodyMost(4_096)
            .headerMost(2_048)
            .tokenMost(1_024)
            .requestsPerSecond(51)
            .requestsBurst(52)
            .requestsPerSecondOfPrincipal(53)
            .requestsBurstOfPrincipal(54)
            .streamsPerTenant(55)
            .streamsPerPrincipal(56)
            .answersPerTenant(60)
            .slowAfter(Duration.ofSeconds(57))
            .headerTimeout(Duration.ofSeconds(58))
            .keepAliveEvery(Duration.ofSeconds(59))
            .waitMost(Duration.ofSeconds(9));
    return RestConfig.defaults()
        .host("0.0.0.0")
        .port(41)
        .commandsOn(false)
        .adminRole("boss")
        .metricsOpen(false)
        .issuers(
            List.of(
                new TokenIssuer(
                    "me",
                    "you",
                    Set.of("ES256"),
                    URI.create("file:/keys.json"),
                    "t",
                    "r",
                    Duration.ofSeconds(5))))
        .limits(limits);
  }

  @Test
  void haveDefaults() {
    var settings = AllSettings.of(sources(Map.of()));

    assertThat(settings.program()).isEqualTo(ProgramSettings.defaults());
    assertThat(settings.engine()).usingRecursiveComparison().isEqualTo(EngineConfig.defaults());
    assertThat(settings.rest()).usingRecursiveComparison().isEqualTo(RestConfig.defaults());
    assertThat(settings.database().isGiven()).isFalse();
  }

  @Test
  void areRefusedAllAtOnce() {
    var environment =
        Map.of(
            "LEASEHOLD_JDBC_URL", "jdbc:postgresql://db/service",
            "LEASEHOLD_ADMIN_USER", "admin",
            "LEASEHOLD_ENGINE_PASSWORD", "sesame",
            "LEASEHOLD_ROLES", "api,wroker",
            "LEASEHOLD_TENANT_CONNECTIONS", "0",
            "LEASEHOLD_ENGINE_LEASE", "0s",
            "LEASEHOLD_REST_PORT", "65536",
            "LEASEHOLD_REST_LIMITS_WAIT_MOST", "2h",
            "LEASEHOLD_REST_ISSUERS", "[{ issuer = me, skew = 2m }]");

    assertThatThrownBy(() -> AllSettings.of(sources(environment)))
        .hasMessageStartingWith("7 settings are wrong:\n")
        .hasMessageContaining("LEASEHOLD_ROLES must be api, worker, maintenance, not 'wroker'")
        .hasMessageContaining("LEASEHOLD_TENANT_CONNECTIONS must be 1 to 1000, not 0")
        .hasMessageContaining("LEASEHOLD_ENGINE_LEASE must be 1s to 1h, not 0s")
        .hasMessageContaining("LEASEHOLD_REST_PORT must be 0 to 65535, not 65536")
        .hasMessageContaining("LEASEHOLD_REST_LIMITS_WAIT_MOST must be 0s to 10m, not 2h")
        .hasMessageContaining("LEASEHOLD_REST_ISSUERS, at 1: skew must be 0s to 1m, not 2m")
        .hasMessageContaining(
            "needs the environment variables LEASEHOLD_TENANT_PASSWORD, LEASEHOLD_ADMIN_PASSWORD")
        .hasMessageNotContaining("sesame");
  }

  @ParameterizedTest
  @ValueSource(strings = {"direct", "DIRECT", "Direct"})
  void acceptWordsInAnyCase(String mode) throws Exception {
    var roles = mode.equals("direct") ? "api,worker" : "API, Worker";
    var file =
        Files.writeString(
            folder.resolve("words.conf"),
            "leasehold { roles = [%s], engine.mode = %s, demo = ON }".formatted(roles, mode));
    var environment = Map.of("LEASEHOLD_ENGINE_MODE", mode, "LEASEHOLD_ROLES", roles);
    var options =
        Map.of(
            "leasehold.roles", new Sources.Option("--roles", roles),
            "leasehold.engine.mode", new Sources.Option("--mode", mode));

    assertThat(
            List.of(
                Sources.of(Map.of(), Map.of(), Optional.of(file)),
                sources(environment),
                Sources.of(options, Map.of(), Optional.empty())))
        .extracting(AllSettings::of)
        .allSatisfy(
            settings -> {
              assertThat(settings.engine().mode()).isEqualTo(EngineConfig.Mode.DIRECT);
              assertThat(settings.program().roles())
                  .containsExactlyInAnyOrder(ProgramRole.API, ProgramRole.WORKER);
            });
  }

  @Test
  void acceptAlgorithmsInAnyCase() {
    var issuers = "[{ issuer = me, audience = you, jwks = \"file:/k\", algorithms = [es256] }]";

    assertThat(
            AllSettings.of(sources(Map.of("LEASEHOLD_REST_ISSUERS", issuers)))
                .rest()
                .issuers()
                .getFirst()
                .algorithms())
        .containsExactly("ES256");
  }

  @Test
  void describedWordsAreInLowerCase() throws Exception {
    var page = Files.readString(Path.of("../docs/operate/settings.md"));

    assertThat(Stream.of(EngineConfig.Mode.values()))
        .allSatisfy(
            mode -> assertThat(page).contains("`%s`".formatted(mode.name().toLowerCase(ROOT))));
    assertThat(page).doesNotContain("`WORKERS`", "`DIRECT`", "`INLINE`");
  }

  @Test
  void haveAnOutputFolderOnlyWithAnEmbeddedDatabase() {
    var given =
        Map.of(
            "LEASEHOLD_JDBC_URL", "jdbc:postgresql://db/service",
            "LEASEHOLD_TENANT_PASSWORD", "one",
            "LEASEHOLD_ENGINE_PASSWORD", "two");
    var own = Map.of("LEASEHOLD_DATA", "mine");

    assertThat(AllSettings.of(sources(own)).engineInItsPlace().outputs().folder())
        .hasValue(Path.of("mine", "outputs"));
    assertThat(AllSettings.of(sources(given)).engineInItsPlace().outputs().folder()).isEmpty();
  }

  @Test
  void haveADemonstrationOnlyOnAnEmbeddedDatabase() {
    var given =
        Map.of(
            "LEASEHOLD_JDBC_URL", "jdbc:postgresql://db/service",
            "LEASEHOLD_TENANT_PASSWORD", "one",
            "LEASEHOLD_ENGINE_PASSWORD", "two");
    var demo = new HashMap<>(given);
    demo.put("LEASEHOLD_DEMO", "on");

    assertThat(AllSettings.of(sources(Map.of())).demonstrates()).isTrue();
    assertThat(AllSettings.of(sources(Map.of())).trustsDevelopment()).isTrue();
    assertThat(AllSettings.of(sources(given)).demonstrates()).isFalse();
    assertThat(AllSettings.of(sources(given)).trustsDevelopment()).isFalse();
    assertThat(AllSettings.of(sources(demo)).demonstrates()).isTrue();
    assertThat(AllSettings.of(sources(demo)).trustsDevelopment()).isFalse();
    assertThat(AllSettings.of(sources(Map.of("LEASEHOLD_DEMO", "off"))).trustsDevelopment())
        .isFalse();
  }

  @Test
  void haveDistinctVariables() {
    assertThat(AllSettings.all().stream().map(Setting::variable)).doesNotHaveDuplicates();
  }

  @Test
  void areDescribedForOperators() throws Exception {
    var page = Files.readString(Path.of("../docs/operate/settings.md"));

    var keys = AllSettings.all().stream().map(setting -> "`%s` |".formatted(setting.key()));
    var parts = NewIssuer.PARTS.stream().map(part -> "` | `%s` |".formatted(part.key()));

    assertThat(Stream.concat(keys, parts).filter(row -> !page.contains(row))).isEmpty();
  }

  @Test
  void describedSettingsExist() throws Exception {
    var page = Files.readString(Path.of("../docs/operate/settings.md"));
    var keys = AllSettings.all().stream().map(Setting::key).toList();

    assertThat(
            page.lines()
                .filter(line -> line.startsWith("|"))
                .flatMap(line -> Stream.of(line.split("`", -1)))
                .filter(word -> word.startsWith("leasehold.")))
        .isNotEmpty()
        .allMatch(keys::contains);
  }

  private AllSettings byVariables() {
    var environment = new HashMap<String, String>();
    AllSettings.all()
        .forEach(
            setting ->
                environment.put(
                    setting.variable(),
                    VALUES.get(setting.key().substring("leasehold.".length()))));
    return AllSettings.of(sources(environment));
  }

  private AllSettings inFile() throws IOException {
    var text = new StringBuilder();
    VALUES.forEach(
        (key, value) -> text.append("leasehold.%s = %s%n".formatted(key, asInFile(key, value))));
    var file = Files.writeString(folder.resolve("leasehold.conf"), text);
    return AllSettings.of(Sources.of(Map.of(), Map.of(), Optional.of(file)));
  }

  private static String asInFile(String key, String value) {
    return switch (key) {
      case "roles" -> "[" + value + "]";
      case "rest.issuers" -> value;
      case "engine.concurrency-of" -> "{" + value + "}";
      default -> "\"" + value + "\"";
    };
  }

  private static Sources sources(Map<String, String> environment) {
    return Sources.of(Map.of(), environment, Optional.empty());
  }
}
