package io.leasehold.bench.stream;

import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The process that serves streams. It is separate from its clients, because they have as many
 * connections as it has.
 */
public final class StreamProcess implements AutoCloseable {

  private final Process process;
  private final int port;
  private final String token;

  private StreamProcess(Process process, int port, String token) {
    this.process = process;
    this.port = port;
    this.token = token;
  }

  /** Starts the process. */
  public static StreamProcess start(String jdbcUrl, String password, TenantId tenant)
      throws IOException {
    var process =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx1g",
                    "-Dguice_bytecode_gen_option=DISABLED",
                    "-Dorg.jooq.no-logo=true",
                    "-Dorg.jooq.no-tips=true",
                    "-Dlogback.configurationFile=logback-bench.xml",
                    "-cp",
                    System.getProperty("java.class.path"),
                    StreamServer.class.getName(),
                    jdbcUrl,
                    password,
                    tenant.toString()))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    var line = process.inputReader(StandardCharsets.UTF_8).readLine();
    var words = line == null ? List.<String>of() : List.of(line.split(" "));
    if (words.size() != 2) {
      process.destroy();
      throw new IllegalStateException("streams are not served: " + line);
    }
    return new StreamProcess(process, Integer.parseInt(words.getFirst()), words.getLast());
  }

  public int port() {
    return port;
  }

  /** A token of the tenant. */
  public String token() {
    return token;
  }

  /** An SQL expression that counts the server's connections of the tenants' role. */
  public static String connections() {
    return "SELECT count(*) FROM pg_stat_activity WHERE application_name = '"
        + StreamServer.APPLICATION
        + "' AND usename = 'leasehold_tenant'";
  }

  @Override
  public void close() throws IOException {
    process.getOutputStream().close();
    if (process.onExit().completeOnTimeout(process, 20, TimeUnit.SECONDS).join().isAlive()) {
      process.destroyForcibly();
    }
  }
}
