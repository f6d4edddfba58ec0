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
 * <p>A run has no time limit of its own: its job's time limit applies, counted from the start of
 * the attempt, whichever worker has it by then.
 *
 * @param command the program and its arguments, which no shell parses
 * @param environment the run's variables, besides those that its runner adds; nothing of the
 *     worker's environment
 * @param files the files in its working folder, by name
 * @param image the container's image; default none, which a runner that needs one rejects
 */
public record RunSpec(
    List<String> command,
    Map<String, String> environment,
    Map<String, String> files,
    Optional<String> image) {

  private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

  /** The prefix of the variables that a runner sets for its runs. */
  private static final String OURS = "LEASEHOLD_";

  /**
   * Checks the names.
   *
   * @throws IllegalArgumentException if there is no command, or a name could lead out of the folder
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

  /** Creates a specification from a program and its arguments. */
  public static RunSpec of(String... command) {
    return new RunSpec(List.of(command), Map.of(), Map.of(), Optional.empty());
  }

  /**
   * Adds a variable to the run's environment.
   *
   * @param name letters, digits and underscores, and not {@code LEASEHOLD_…}
   */
  public RunSpec with(String name, String value) {
    var changed = new HashMap<>(environment);
    changed.put(name, value);
    return new RunSpec(command, changed, files, image);
  }

  /**
   * Adds a text file to the working folder.
   *
   * @param name the file's name, relative to that folder
   */
  public RunSpec file(String name, String text) {
    var changed = new HashMap<>(files);
    changed.put(name, text);
    return new RunSpec(command, environment, changed, image);
  }

  /** Sets the image of the run's container. */
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

  // The image is passed where options are allowed.
  private static void requireImage(String image) {
    if (image.isBlank() || image.startsWith("-")) {
      throw new IllegalArgumentException("image must be the name of one, not " + image);
    }
  }
}
