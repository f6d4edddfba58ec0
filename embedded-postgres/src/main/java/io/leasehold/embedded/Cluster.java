package io.leasehold.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The data of a server, in a folder with its password and its log.
 *
 * <p>Code that creates or starts a cluster must hold the folder's {@link ClusterLock}.
 *
 * @param folder the absolute path of the folder
 */
record Cluster(Path folder) {

  private static final Logger log = LoggerFactory.getLogger(Cluster.class);
  private static final String HALF = "cluster.half";
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** Starts a server on the data, which are created if they are missing. */
  RunningCluster start(Map<String, String> settings) {
    try {
      deleteHalves();
      if (!Files.exists(data())) {
        make();
      }
      PostgresVersion.requireThatOf(data());
      Postmaster.in(data()).ifPresent(Postmaster::stop);
      return start(data(), settings);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start PostgreSQL in " + folder, e);
    }
  }

  /** Creates the data and starts a server on them, in a folder that is new and soon deleted. */
  RunningCluster startFresh(Map<String, String> settings) {
    try {
      ClusterPassword.makeIn(folder);
      return start(data(), settings);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start PostgreSQL in " + folder, e);
    }
  }

  private Path data() {
    return dataIn(folder);
  }

  static Path dataIn(Path folder) {
    return folder.resolve("cluster");
  }

  /**
   * Creates the data under another name: if the process is killed meanwhile, nothing that looks
   * complete remains. Each attempt uses a different name, because an initdb outlives the killed
   * process and continues to write.
   */
  private void make() throws IOException {
    var half = Files.createTempDirectory(folder, HALF + "-");
    ClusterPassword.makeIn(folder);
    start(half, Map.of()).stop();
    Files.move(half, data(), StandardCopyOption.ATOMIC_MOVE);
  }

  private void deleteHalves() throws IOException {
    try (var halves = Files.newDirectoryStream(folder, HALF + "*")) {
      halves.forEach(Cluster::deleteHalf);
    }
  }

  private static void deleteHalf(Path half) {
    try {
      Postmaster.in(half).ifPresent(Postmaster::stop);
      TemporaryFolder.delete(half);
    } catch (IOException | RuntimeException e) {
      log.warn("cannot delete {} yet, the next start tries again: {}", half, e.toString());
    }
  }

  private RunningCluster start(Path data, Map<String, String> settings) throws IOException {
    var passwordFile = ClusterPassword.in(folder);
    var password = Files.readString(passwordFile);
    var serverLog = OwnerOnly.file(folder.resolve("server.log"));
    var builder = EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false);
    settings.forEach(builder::setServerConfig);
    // The library passes this to initdb unchanged, as if it were a locale, after its own "-A
    // trust".
    builder.setLocaleConfig("auth", "scram-sha-256");
    builder.setLocaleConfig("pwfile", passwordFile.toString());
    builder.setLocaleConfig("locale", "C.UTF-8");
    builder.setConnectConfig("password", password);
    builder.setRegisterShutdownHook(false).setPGStartupWait(START_LIMIT);
    // Unlike a pipe to this process, a file still receives the log after this process was killed.
    builder.setOutputRedirector(Redirect.appendTo(serverLog.toFile()));
    builder.setErrorRedirector(Redirect.appendTo(serverLog.toFile()));
    try {
      var postgres = builder.start();
      return new RunningCluster(postgres, Postmaster.startedIn(data), data, password);
    } catch (IllegalStateException | IOException e) {
      throw new IllegalStateException(
          "PostgreSQL does not start in %s, see %s".formatted(data, serverLog), e);
    }
  }
}
