package io.leasehold.plans;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the PostgreSQL servers of plans are run.
 *
 * @param folder the parent of the servers' folders, one per attempt; local to this machine and used
 *     by nothing else. Its path may have at most 60 characters, because a socket's path has to fit
 *     into 107
 * @param programs the folder of {@code initdb} and {@code pg_ctl}, if servers are processes
 * @param image the PostgreSQL image, if servers are containers; it must include a shell
 * @param docker the program that runs containers; default {@code docker}
 * @param psql the program that runs SQL files; default {@code psql}
 * @param settings further server settings, such as {@code work_mem}
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
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a value is out of range
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
   * Runs servers as processes of this machine.
   *
   * @param folder the parent of the servers' folders
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
   * Runs servers as containers of an image.
   *
   * @param folder the parent of the servers' folders, which the container engine must be able to
   *     mount
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

  /** Sets the program that runs SQL files. */
  public PostgresConfig psql(String psql) {
    return new PostgresConfig(folder, programs, image, docker, psql, settings, startLimit);
  }

  /** Sets the program that runs containers. */
  public PostgresConfig docker(String docker) {
    return new PostgresConfig(folder, programs, image, docker, psql, settings, startLimit);
  }

  /** Adds a server setting. */
  public PostgresConfig setting(String name, String value) {
    var all = new HashMap<>(settings);
    all.put(name, value);
    return new PostgresConfig(folder, programs, image, docker, psql, all, startLimit);
  }

  /** Sets how long a server may take to start, or to stop for a snapshot. */
  public PostgresConfig startLimit(Duration startLimit) {
    return new PostgresConfig(folder, programs, image, docker, psql, settings, startLimit);
  }
}
