package io.leasehold.plans;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Programs of tests in processes of their own, to be killed. */
final class PlanProcess {

  private PlanProcess() {}

  /** Starts the main method of a class. */
  static Process start(Class<?> program, String... args) throws IOException {
    return start(program, Map.of(), args);
  }

  /** The same, with more in its environment. */
  static Process start(Class<?> program, Map<String, String> environment, String... args)
      throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
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
    var builder = new ProcessBuilder(command).redirectError(Redirect.INHERIT);
    builder.environment().putAll(environment);
    return builder.start();
  }
}
