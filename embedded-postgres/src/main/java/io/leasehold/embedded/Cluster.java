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
 * A server's data, in a folder with its password and its log.
 *
 * <p>Whoever makes or starts it holds the folder's {@link ClusterLock}.
 *
 * @param folder absolute
 */
record Cluster(Path folder) {

  private static final Logger log = LoggerFactory.getLogger(Cluster.class);
  private static final String HALF = "cluster.half";
  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** Starts a server on the data, and makes them where there are none yet. */
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

  /** Makes the data and starts a server on them, in a folder that is new and soon deleted. */
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
   * Makes the data under another name: a process that is killed meanwhile leaves nothing behind
   * that looks whole. Each try has a name of its own, as an initdb outlives the killed process and
   * goes on to write.
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
    // What is named a locale is passed to initdb as it is, after the library's "-A trust".
    builder.setLocaleConfig("auth", "scram-sha-256");
    builder.setLocaleConfig("pwfile", passwordFile.toString());
    builder.setLocaleConfig("locale", "C.UTF-8");
    builder.setConnectConfig("password", password);
    builder.setRegisterShutdownHook(false).setPGStartupWait(START_LIMIT);
    // A file, unlike a pipe to this process, still takes the log after this process was killed.
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
