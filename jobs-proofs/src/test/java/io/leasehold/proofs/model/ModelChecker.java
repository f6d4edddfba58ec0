package io.leasehold.proofs.model;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.net.JarURLConnection;
import java.net.URL;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Looks at all states of the model {@code JobLease} with TLC, in a process of its own: TLC keeps
 * what it has seen in static fields.
 */
final class ModelChecker {

  private static final Pattern VIOLATED = Pattern.compile("Invariant (\\w+) is violated");
  private static final Pattern FINISHED =
      Pattern.compile("No error has been found.*, (\\d+) distinct states found", Pattern.DOTALL);

  private final Path folder;
  private String config;
  private boolean breaks;

  /**
   * Checks in an empty folder that no other test uses.
   *
   * @param part what of the model is looked at: the name of a configuration
   */
  ModelChecker(Path folder, String part) throws IOException {
    this.folder = folder;
    Files.writeString(folder.resolve("JobLease.tla"), read("/JobLease.tla"));
    config = read("/%s.cfg".formatted(part));
  }

  private static String read(String resource) throws IOException {
    try (var in = resource(resource).openStream()) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private static URL resource(String name) {
    return Objects.requireNonNull(ModelChecker.class.getResource(name), name);
  }

  /** Gives a constant another value. */
  ModelChecker with(String constant, String value) {
    var changed = config.replaceFirst("\\b" + constant + " = .*", constant + " = " + value);
    if (changed.equals(config)) {
      throw new IllegalArgumentException("%s is no constant, or is %s".formatted(constant, value));
    }
    config = changed;
    return this;
  }

  /** Looks at one invariant only. */
  ModelChecker only(String invariant) {
    breaks = true; // Found within a second, before a better compiler would pay.
    if (!Pattern.compile("\\b" + invariant + "\\b").matcher(config).find()) {
      throw new IllegalArgumentException(invariant + " is no invariant");
    }
    config =
        config.replaceFirst("(?s)INVARIANTS.*?(?=CHECK_DEADLOCK)", "INVARIANT " + invariant + "\n");
    return this;
  }

  /**
   * What was found.
   *
   * @param violated the invariant that does not hold, if one does not
   * @param states how many states there are, if all were looked at
   * @param output all that TLC said
   */
  record Finding(Optional<String> violated, long states, String output) {}

  /** Looks at the states, until an invariant does not hold or there are no more. */
  Finding check() throws IOException, InterruptedException {
    Files.writeString(folder.resolve("JobLease.cfg"), config);
    var tlc =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=" + (breaks ? 1 : 4),
                "-Xmx1g",
                "-Djava.io.tmpdir=" + folder,
                "-cp",
                jar(),
                "tlc2.TLC",
                "-workers",
                "1",
                "-metadir",
                folder.resolve("states").toString(),
                "JobLease.tla")
            .directory(folder.toFile())
            .redirectErrorStream(true)
            .start();
    var output = new String(tlc.getInputStream().readAllBytes(), UTF_8);
    tlc.waitFor();
    var violated = VIOLATED.matcher(output);
    var finished = FINISHED.matcher(output);
    return new Finding(
        violated.find() ? Optional.of(violated.group(1)) : Optional.empty(),
        finished.find() ? Long.parseLong(finished.group(1)) : 0,
        output);
  }

  private static String jar() throws IOException {
    var connection = (JarURLConnection) resource("/tlc2/TLC.class").openConnection();
    return Path.of(connection.getJarFile().getName()).toString();
  }
}
