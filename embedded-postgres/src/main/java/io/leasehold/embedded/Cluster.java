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

/**
 * A server's data, in a folder with its password and its log.
 *
 * <p>Whoever makes or starts it holds the folder's {@link ClusterLock}.
 *
 * @param folder absolute
 */
record Cluster(Path folder) {

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  /** Starts a server on the data, and makes them where there are none yet. */
  RunningCluster start(Map<String, String> settings) {
    try {
      if (!Files.exists(data())) {
        make();
      }
      PostgresVersion.requireThatOf(data());
      AbandonedServer.in(data()).ifPresent(AbandonedServer::stop);
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
   * that looks whole.
   */
  private void make() throws IOException {
    var half = folder.resolve("cluster.half");
    if (Files.exists(half)) {
      AbandonedServer.in(half).ifPresent(AbandonedServer::stop);
      TemporaryFolder.delete(half);
    }
    ClusterPassword.makeIn(folder);
    start(half, Map.of()).stop();
    Files.move(half, data(), StandardCopyOption.ATOMIC_MOVE);
  }

  private RunningCluster start(Path data, Map<String, String> settings) throws IOException {
    var passwordFile = ClusterPassword.in(folder);
    var password = Files.readString(passwordFile);
    var log = folder.resolve("server.log");
    var builder = EmbeddedPostgres.builder().setDataDirectory(data).setCleanDataDirectory(false);
    settings.forEach(builder::setServerConfig);
    // What is named a locale is passed to initdb as it is, after the library's "-A trust".
    builder.setLocaleConfig("auth", "scram-sha-256");
    builder.setLocaleConfig("pwfile", passwordFile.toString());
    builder.setLocaleConfig("locale", "C.UTF-8");
    builder.setConnectConfig("password", password);
    builder.setRegisterShutdownHook(false).setPGStartupWait(START_LIMIT);
    // A file, unlike a pipe to this process, still takes the log after this process was killed.
    builder.setOutputRedirector(Redirect.appendTo(log.toFile()));
    builder.setErrorRedirector(Redirect.appendTo(log.toFile()));
    try {
      return new RunningCluster(builder.start(), data, password);
    } catch (IllegalStateException | IOException e) {
      throw new IllegalStateException(
          "PostgreSQL does not start in %s, see %s".formatted(data, log), e);
    }
  }
}
