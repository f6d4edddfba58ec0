package io.leasehold.runs;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * What to run. Immutable; each method returns a changed copy.
 *
 * <p>How long it may take is not said here: its job's time limit is the run's, counted from the
 * attempt's beginning, whichever worker has it by then.
 *
 * @param command the program and its arguments, which no shell looks at
 * @param environment what it finds in its environment, besides what its runner puts there; nothing
 *     of the worker's own
 * @param files what it finds in the folder in which it begins, by their names
 * @param image what a container is made from; default none, and refused by a runner that needs one
 */
public record RunSpec(
    List<String> command,
    Map<String, String> environment,
    Map<String, String> files,
    Optional<String> image) {

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** What a runner says to its runs begins with this. */
  private static final String OURS = "LEASEHOLD_";

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if there is no command, or a name could lead elsewhere
   */
  public RunSpec {
    if (command.isEmpty() || command.getFirst().isEmpty()) {
      throw new IllegalArgumentException("command must name a program");
    }
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    files = Map.copyOf(files);
    environment.keySet().forEach(RunSpec::requireVariable);
    files.keySet().forEach(RunSpec::requireInside);
    image.ifPresent(RunSpec::requireImage);
  }

  /** A program and its arguments. */
  public static RunSpec of(String... command) {
    return new RunSpec(List.of(command), Map.of(), Map.of(), Optional.empty());
  }

  /**
   * Puts something into its environment.
   *
   * @param name letters, digits and underscores, and not {@code LEASEHOLD_…}
   */
  public RunSpec with(String name, String value) {
    var changed = new HashMap<>(environment);
    changed.put(name, value);
    return new RunSpec(command, changed, files, image);
  }

  /**
   * Puts a text into the folder in which it begins.
   *
   * @param name of the file, relative to that folder
   */
  public RunSpec file(String name, String text) {
    var changed = new HashMap<>(files);
    changed.put(name, text);
    return new RunSpec(command, environment, changed, image);
  }

  /** Has it run in a container made from this image. */
  public RunSpec image(String image) {
    return new RunSpec(command, environment, files, Optional.of(image));
  }

  private static void requireVariable(String name) {
    if (!VARIABLE.matcher(name).matches() || name.startsWith(OURS)) {
      throw new IllegalArgumentException(
          "a variable must be letters, digits and underscores, and not begin with %s, not %s"
              .formatted(OURS, name));
    }
  }

  private static void requireInside(String name) {
    var path = Path.of(name);
    if (name.isBlank()
        || path.isAbsolute()
        || !path.equals(path.normalize())
        || path.startsWith("..")) {
      throw new IllegalArgumentException("a file must be inside of the run's folder, not " + name);
    }
  }

  // It stands where options could.
  private static void requireImage(String image) {
    if (image.isBlank() || image.startsWith("-")) {
      throw new IllegalArgumentException("image must be the name of one, not " + image);
    }
  }
}
