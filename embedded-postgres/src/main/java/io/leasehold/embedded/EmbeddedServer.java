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
 * <p>It is set up like a server in production, with SCRAM, {@code fsync} and {@code
 * synchronous_commit}. The library's own defaults would trust every client and lose commits.
 */
public final class EmbeddedServer implements AutoCloseable {

  /** The administrator that the server is created with. */
  public static final String SUPERUSER = "postgres";

  private static final Map<String, String> DURABLE =
      Map.of("fsync", "on", "synchronous_commit", "on", "full_page_writes", "on");

  // For tests only, where it does not matter what is lost when the machine stops.
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
   * Starts a server that keeps its data in a folder, including the data of an earlier server there.
   *
   * <p>If a killed process left a server running in the folder, that server is stopped first. The
   * caller has to close the server before the process ends. The server logs to {@code server.log}
   * in the folder. The folder and its contents become accessible only to this user, unless the
   * folder is shared (sticky, as /tmp is).
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
   * Returns the address of the server that is running in a folder, if any: one of another process,
   * or one left by a killed process. Changes nothing there.
   *
   * @throws IllegalStateException if the folder does not say which process it is
   */
  public static Optional<OtherServer> runningIn(Path folder) {
    return OtherServer.in(folder.toAbsolutePath().normalize());
  }

  /**
   * Starts a server with {@code fsync} off, whose data are deleted when it stops: for tests.
   *
   * <p>Unless it was closed before, it stops with this process. If the process was killed, it stops
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

  /** Returns the superuser's password, created with the data folder. */
  public String password() {
    return running.password();
  }

  /** Returns the URL of a database of this server, without user and password. */
  public String jdbcUrl(String database) {
    return "jdbc:postgresql://localhost:%d/%s".formatted(port(), database);
  }

  /** Creates an empty database, unless there is one with that name. */
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

  /**
   * Returns a future that completes soon after the server has ended for any reason, in any thread.
   */
  public CompletableFuture<Void> ended() {
    return running.postmaster().ended();
  }

  /**
   * Stops the server: sessions are ended, and their committed data are on disk. Repeated calls do
   * nothing.
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
