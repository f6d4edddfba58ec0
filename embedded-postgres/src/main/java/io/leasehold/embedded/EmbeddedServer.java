package io.leasehold.embedded;

import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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

  private static final String DUPLICATE_DATABASE = "42P04";

  private final RunningCluster running;
  private final ClusterLock lock;
  private final @Nullable TemporaryFolder temporary;
  private boolean closed;

  private EmbeddedServer(
      RunningCluster running, ClusterLock lock, @Nullable TemporaryFolder temporary) {
    this.running = running;
    this.lock = lock;
    this.temporary = temporary;
  }

  /**
   * Starts a server that keeps its data in a folder, and finds there what an earlier one kept.
   *
   * <p>A server that a killed process left behind in the folder is stopped first. The caller has to
   * close the server before the process ends. What the server logs is in {@code server.log} there.
   * The folder and all that is in it become this user's alone, unless the folder is shared (sticky,
   * as /tmp is).
   *
   * @param settings further server settings, as in {@code shared_buffers}
   * @throws IllegalStateException if another process runs a server in the folder, the data are of
   *     another major version, or the server does not start
   */
  public static EmbeddedServer in(Path folder, Map<String, String> settings) {
    var cluster = new Cluster(folder.toAbsolutePath().normalize());
    return locked(cluster, null, () -> cluster.start(merged(DURABLE, settings)));
  }

  /**
   * Where the server is that runs in a folder, if one does: another process's, or left behind by
   * one that was killed. Changes nothing there.
   *
   * @throws IllegalStateException if the folder does not say which process it is
   */
  public static Optional<OtherServer> runningIn(Path folder) {
    return OtherServer.in(folder.toAbsolutePath().normalize());
  }

  /**
   * Starts a server with {@code fsync} off, whose data are gone when it stops: for tests.
   *
   * <p>It stops with this process unless it was closed before, and where the process was killed,
   * when the next temporary server starts.
   */
  public static EmbeddedServer temporary(Map<String, String> settings) {
    var folder = TemporaryFolder.create();
    var cluster = new Cluster(folder.path());
    var server = locked(cluster, folder, () -> cluster.startFresh(merged(FLEETING, settings)));
    Runtime.getRuntime().addShutdownHook(new Thread(server::close, "stop-postgres"));
    return server;
  }

  private static EmbeddedServer locked(
      Cluster cluster, @Nullable TemporaryFolder temporary, Supplier<RunningCluster> start) {
    var lock = ClusterLock.of(cluster.folder());
    try {
      return new EmbeddedServer(start.get(), lock, temporary);
    } catch (RuntimeException e) {
      lock.close();
      throw e;
    }
  }

  private static Map<String, String> merged(
      Map<String, String> durability, Map<String, String> settings) {
    var all = new HashMap<>(durability);
    all.putAll(settings);
    return all;
  }

  public int port() {
    return running.port();
  }

  /** The superuser's password, made when the data folder was. */
  public String password() {
    return running.password();
  }

  /** Where a database of this server is found, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port(), database);
  }

  /** Makes an empty database, unless there is one of that name. */
  public void ensureDatabase(String name) {
    try (var connection = DriverManager.getConnection(jdbcUrl("postgres"), SUPERUSER, password());
        var statement = connection.createStatement()) {
      statement.execute("CREATE DATABASE " + statement.enquoteIdentifier(name, true));
    } catch (SQLException e) {
      if (!DUPLICATE_DATABASE.equals(e.getSQLState())) {
        throw new IllegalStateException("cannot make the database " + name, e);
      }
    }
  }

  /** Completes when the server has ended, whoever ended it; soon after that, and in any thread. */
  public CompletableFuture<Void> ended() {
    return running.postmaster().ended();
  }

  /**
   * Stops the server: sessions are ended, and what they committed is on disk. Does nothing the
   * second time.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      running.stop();
    } finally {
      lock.close();
    }
    if (temporary != null) {
      temporary.delete();
    }
  }
}
