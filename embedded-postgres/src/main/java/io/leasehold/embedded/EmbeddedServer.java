package io.leasehold.embedded;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/**
 * A PostgreSQL server that this process starts and stops, reachable over loopback with a password.
 *
 * <p>Set up like a server in production, where the library's own defaults would trust every client
 * and lose commits: SCRAM, {@code fsync} and {@code synchronous_commit} are on.
 */
public final class EmbeddedServer implements AutoCloseable {

  /** The administrator that the server is created with. */
  public static final String SUPERUSER = "postgres";

  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  // Only for tests: they lose nothing that matters when the machine stops.
  private static final Map<String, String> FLEETING =
      Map.of("fsync", "off", "synchronous_commit", "on", "full_page_writes", "on");

  private static final Duration START_LIMIT = Duration.ofSeconds(60);

  private final EmbeddedPostgres postgres;
  private final String password;
  private final ClusterLock lock;

  private EmbeddedServer(EmbeddedPostgres postgres, String password, ClusterLock lock) {
    this.postgres = postgres;
    this.password = password;
    this.lock = lock;
  }

  /**
   * Starts a server that keeps its data in a folder, and finds there what an earlier one kept.
   *
   * <p>A server that a killed process left behind in the folder is stopped first. The caller has to
   * close the server before the process ends.
   *
   * @param settings further server settings, as in {@code shared_buffers}
   * @throws IllegalStateException if another process runs a server in the folder
   */
  public static EmbeddedServer in(Path folder, Map<String, String> settings) {
    var lock = ClusterLock.of(folder);
    try {
      var cluster = folder.resolve("cluster");
      AbandonedServer.in(cluster).ifPresent(AbandonedServer::stop);
      var passwordFile = ClusterPassword.in(folder);
      var builder = EmbeddedPostgres.builder().setDataDirectory(cluster);
      builder.setCleanDataDirectory(false).setRegisterShutdownHook(false);
      return start(builder, DURABLE, settings, passwordFile, lock);
    } catch (IOException e) {
      lock.close();
      throw new UncheckedIOException("cannot start PostgreSQL in " + folder, e);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  /**
   * Starts a server with {@code fsync} off, whose data are gone when it stops: for tests.
   *
   * <p>It stops with this process unless it was closed before.
   */
  public static EmbeddedServer temporary(Map<String, String> settings) {
    try {
      var folder = Files.createTempDirectory("leasehold-");
      var builder = EmbeddedPostgres.builder().setDataDirectory(folder.resolve("cluster"));
      return start(builder, FLEETING, settings, ClusterPassword.in(folder), ClusterLock.of(folder));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot start a temporary PostgreSQL", e);
    }
  }

  private static EmbeddedServer start(
      EmbeddedPostgres.Builder builder,
      Map<String, String> durability,
      Map<String, String> settings,
      Path passwordFile,
      ClusterLock lock)
      throws IOException {
    var password = Files.readString(passwordFile);
    durability.forEach(builder::setServerConfig);
    settings.forEach(builder::setServerConfig);
    // What is named a locale is passed to initdb as it is, after the library's "-A trust".
    builder.setLocaleConfig("auth", "scram-sha-256");
    builder.setLocaleConfig("pwfile", passwordFile.toString());
    builder.setLocaleConfig("locale", "C.UTF-8");
    builder.setConnectConfig("password", password);
    builder.setPGStartupWait(START_LIMIT);
    return new EmbeddedServer(builder.start(), password, lock);
  }

  public int port() {
    return postgres.getPort();
  }

  /** The superuser's password, made when the data folder was. */
  public String password() {
    return password;
  }

  /** Where a database of this server is found, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port(), database);
  }

  /** Stops the server: sessions are ended, and what they committed is on disk. */
  @Override
  public void close() {
    try {
      postgres.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop PostgreSQL", e);
    } finally {
      lock.close();
    }
  }
}
