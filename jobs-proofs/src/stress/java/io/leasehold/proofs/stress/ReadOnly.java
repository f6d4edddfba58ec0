package io.leasehold.proofs.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;

/**
 * A server that takes no writes: in turns because it is set so while its sessions go on, and
 * because it is started again as a standby.
 */
final class ReadOnly implements Fault {

  private final StressServer server;
  private final ServerProcess process;
  private int strikes;

  ReadOnly(StressServer server) throws IOException {
    this.server = server;
    this.process = new ServerProcess(server.folder());
  }

  static ReadOnly start() throws IOException, SQLException {
    var folder = Files.createTempDirectory("leasehold-stress-");
    return new ReadOnly(StressServer.in(folder, Map.of()));
  }

  StressServer server() {
    return server;
  }

  // The platform's own options would set its sessions to write; an operator's take their place.
  @Override
  public String jdbcUrl() {
    return server.jdbcUrl() + "&options=-c%20jit=off";
  }

  @Override
  public String refusal() {
    return "in a read-only transaction\n|cannot execute .* during recovery\n";
  }

  @Override
  public void strike() throws IOException, SQLException {
    strikes++;
    if (isStandby()) {
      process.stop();
      Files.createFile(process.data().resolve("standby.signal"));
      process.start();
    } else {
      set("on");
    }
  }

  @Override
  public void mend() throws SQLException {
    if (isStandby()) {
      execute("SELECT pg_promote()");
    } else {
      set("off");
    }
  }

  private boolean isStandby() {
    return strikes % 2 == 0;
  }

  private void set(String value) throws SQLException {
    execute("ALTER SYSTEM SET default_transaction_read_only = " + value, "SELECT pg_reload_conf()");
  }

  // The server may be about to start.
  private void execute(String... statements) throws SQLException {
    for (int attempt = 0; ; attempt++) {
      try (var connection = server.connect();
          var statement = connection.createStatement()) {
        for (var sql : statements) {
          statement.execute(sql);
        }
        return;
      } catch (SQLException e) {
        if (attempt > 200) {
          throw e;
        }
        LockSupport.parkNanos(50_000_000);
      }
    }
  }

  @Override
  public void close() throws IOException {
    process.stop();
    server.close();
  }
}
