package io.leasehold.plans;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How servers of plans are run.
 *
 * @param folder where their folders are, each its attempt's own; on this machine, and nobody
 *     else's. Its path must be short, at most 60 characters: a socket's has to fit into 107
 * @param programs the folder of {@code initdb} and {@code pg_ctl}, if servers are processes
 * @param image the image of PostgreSQL, if servers are containers; it has a shell, too
 * @param docker the program that runs containers; default {@code docker}
 * @param psql the program that runs SQL files; default {@code psql}
 * @param settings further settings of the servers, as {@code work_mem}
 * @param startLimit how long a server may take to start, or to stop for a snapshot; default 60 s
 */
public record PostgresConfig(
    Path folder,
    Optional<Path> programs,
    Optional<String> image,
    String docker,
    String psql,
    Map<String, String> settings,
    Duration startLimit) {

  private static final int FOLDER_MOST = 60;
  private static final Pattern FOLDER = Pattern.compile("[^'\",\\\\:\\p{Cntrl}]+");
  private static final Pattern SETTING = Pattern.compile("[a-z_][a-z0-9_.]{0,62}");

  /**
   * Checks the bounds.
   *
   * @throws IllegalArgumentException if one does not hold
   */
  public PostgresConfig {
    folder = folder.toAbsolutePath().normalize();
    settings = Map.copyOf(settings);
    if (folder.toString().length() > FOLDER_MOST || !FOLDER.matcher(folder.toString()).matches()) {
      throw new IllegalArgumentException(
          "folder must have at most %d characters, and no quotes, commas or colons, not %s"
              .formatted(FOLDER_MOST, folder));
    }
    if (programs.isPresent() == image.isPresent()) {
      throw new IllegalArgumentException(
          "either programs or image must be given, not %s and %s".formatted(programs, image));
    }
    for (var name : settings.keySet()) {
      if (!SETTING.matcher(name).matches()) {
        throw new IllegalArgumentException("settings must have names of settings, not " + name);
      }
    }
    if (!startLimit.isPositive()) {
      throw new IllegalArgumentException("startLimit must be positive, not " + startLimit);
    }
  }

  /**
   * Servers are processes of this machine.
   *
   * @param folder where their folders are
   * @param programs the folder of PostgreSQL's programs
   */
  public static PostgresConfig local(Path folder, Path programs) {
    return new PostgresConfig(
        folder,
        Optional.of(programs),
        Optional.empty(),
        "docker",
        "psql",
        Map.of(),
        Duration.ofMinutes(1));
  }

  /**
   * Servers are containers of an image.
   *
   * @param folder where their folders are, which the engine can mount
   */
  public static PostgresConfig containers(Path folder, String image) {
    return new PostgresConfig(
        folder,
        Optional.empty(),
        Optional.of(image),
        "docker",
        "psql",
        Map.of(),
        Duration.ofMinutes(1));
  }

  /** Which program runs SQL files. */
  public PostgresConfig psql(String psql) {
    return new PostgresConfig(folder, programs, image, docker, psql, settings, startLimit);
  }

  /** Which program runs containers. */
  public PostgresConfig docker(String docker) {
    return new PostgresConfig(folder, programs, image, docker, psql, settings, startLimit);
  }

  /** A further setting of the servers. */
  public PostgresConfig setting(String name, String value) {
    var all = new HashMap<>(settings);
    all.put(name, value);
    return new PostgresConfig(folder, programs, image, docker, psql, all, startLimit);
  }

  /** How long a server may take to start, or to stop for a snapshot. */
  public PostgresConfig startLimit(Duration startLimit) {
    return new PostgresConfig(folder, programs, image, docker, psql, settings, startLimit);
  }
}
