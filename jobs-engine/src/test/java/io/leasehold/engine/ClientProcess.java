package io.leasehold.engine;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A program of a test in a process of its own, to be frozen, woken and killed. It should end when
 * its standard input is closed.
 *
 * @param process it
 * @param said what it prints, line by line
 */
public record ClientProcess(Process process, BufferedReader said) implements AutoCloseable {

  /** Starts the main method of a class. */
  public static ClientProcess start(Class<?> program, String... args) throws IOException {
    return start(List.of(), program, args);
  }

  /** Starts the main method of a class, with options of the virtual machine. */
  public static ClientProcess start(List<String> options, Class<?> program, String... args)
      throws IOException {
    var command = new ArrayList<>(List.of(java()));
    command.addAll(options);
    command.addAll(
        List.of(
            "-Xmx128m",
            "-XX:TieredStopAtLevel=1",
            "-XX:+UseSerialGC",
            "-Dguice_bytecode_gen_option=DISABLED",
            "-Dorg.jooq.no-logo=true",
            "-Dorg.jooq.no-tips=true",
            "-Dlogback.configurationFile=" + System.getProperty("logback.configurationFile"),
            "-cp",
            System.getProperty("java.class.path"),
            program.getName()));
    command.addAll(List.of(args));
    var process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    return new ClientProcess(process, process.inputReader());
  }

  private static String java() {
    return Path.of(System.getProperty("java.home"), "bin", "java").toString();
  }

  /** Waits for its next line. */
  public String nextLine() throws IOException {
    var line = said.readLine();
    if (line == null) {
      throw new IllegalStateException("the process ended and said no more");
    }
    return line;
  }

  /** Gives it a line. */
  public void tell(String line) throws IOException {
    process.outputWriter().write(line + "\n");
    process.outputWriter().flush();
  }

  /** Stops it where it is: it holds what it holds, and neither reads nor writes. */
  public void freeze() throws IOException, InterruptedException {
    signal("STOP");
  }

  /** Lets it go on. */
  public void wake() throws IOException, InterruptedException {
    signal("CONT");
  }

  /** Ends it where it is. */
  public void kill() throws IOException, InterruptedException {
    signal("KILL");
    process.waitFor();
  }

  private void signal(String name) throws IOException, InterruptedException {
    new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start().waitFor();
  }

  @Override
  public void close() {
    process.destroyForcibly().onExit().join();
  }
}
