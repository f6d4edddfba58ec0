package io.leasehold.plans;

import io.leasehold.plans.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A PostgreSQL server that is an attempt's own, as its tasks see it: reached by a socket in a
 * folder that nobody else may enter, and by nothing else. {@code psql} runs outside of it.
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

  /** The folder of its socket: the host, for a client. */
  public Path sockets() {
    return sockets;
  }

  /** What clients have in their environment: {@code PGHOST}, {@code PGUSER}, {@code PGDATABASE}. */
  public Map<String, String> environment() {
    return Map.of("PGHOST", sockets.toString(), "PGUSER", SUPERUSER, "PGDATABASE", SUPERUSER);
  }

  /**
   * Runs an SQL file, and stops at its first error.
   *
   * @return the last that it printed, up to 16 KiB
   * @throws IOException if it failed; has the last of its errors, and nothing of its rows
   */
  public String run(Path file) throws IOException, InterruptedException {
    return run(file, Map.of());
  }

  /**
   * Runs an SQL file with variables, which it names as {@code :'name'}. Whoever may list the
   * processes of this machine can read their values: secrets are none.
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
   * Runs some SQL, and answers the rows, and nothing else that was said: each in a line, without
   * heads, its columns parted by {@code |}.
   *
   * @throws IOException as {@link #run(Path)}; if there is more than a mebibyte of it
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
