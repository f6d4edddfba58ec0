package io.leasehold.plans;

import io.leasehold.plans.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * An attempt's own PostgreSQL server, as its tasks see it. It is reachable only through a socket in
 * a folder that no other user can enter. {@code psql} runs outside of the server's container.
 */
public final class PostgresServer {

  private static final String SUPERUSER = "postgres";
  private static final int ANSWER_MOST = 1_048_576;

  private final Path sockets;
  private final String psql;

  PostgresServer(Path sockets, String psql) {
    this.sockets = sockets;
    this.psql = psql;
  }

  /** The folder of the server's socket, which clients use as the host. */
  public Path sockets() {
    return sockets;
  }

  /** The environment variables for clients: {@code PGHOST}, {@code PGUSER}, {@code PGDATABASE}. */
  public Map<String, String> environment() {
    return Map.of("PGHOST", sockets.toString(), "PGUSER", SUPERUSER, "PGDATABASE", SUPERUSER);
  }

  /**
   * Runs an SQL file and stops at the first error.
   *
   * @return the end of its output, up to 16 KiB
   * @throws IOException if it failed; the message has the end of its errors, and none of its rows
   */
  public String run(Path file) throws IOException, InterruptedException {
    return run(file, Map.of());
  }

  /**
   * Runs an SQL file with variables, which it refers to as {@code :'name'}. Any user who can list
   * the processes of this machine can read their values: do not pass secrets.
   *
   * @throws IOException as {@link #run(Path)}
   */
  public String run(Path file, Map<String, String> variables)
      throws IOException, InterruptedException {
    var words = new ArrayList<String>();
    new TreeMap<>(variables)
        .forEach(
            (name, value) -> {
              words.add("-v");
              words.add(name + "=" + value);
            });
    words.add("-f");
    words.add(file.toAbsolutePath().toString());
    return psql(words).succeed();
  }

  /**
   * Runs SQL and returns only the rows: one per line, without headers, columns separated by {@code
   * |}.
   *
   * @throws IOException as {@link #run(Path)}, or if the result exceeds a mebibyte
   */
  public String ask(String sql) throws IOException, InterruptedException {
    return psql(List.of("-A", "-t", "-c", sql)).answer(ANSWER_MOST);
  }

  private Command psql(List<String> words) {
    var all = new ArrayList<>(List.of(psql, "-X", "-q", "-v", "ON_ERROR_STOP=1"));
    all.addAll(words);
    return Command.of(all).alone(environment());
  }
}
