package io.leasehold.rest.program.settings;

import static io.leasehold.rest.settings.Kinds.FILE;
import static io.leasehold.rest.settings.Kinds.FOLDER;
import static io.leasehold.rest.settings.Kinds.SWITCH;
import static io.leasehold.rest.settings.Kinds.TIME;

import io.leasehold.rest.settings.Kinds;
import io.leasehold.rest.settings.Setting;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * What the program does. Immutable.
 *
 * @param roles the roles of this process; default all
 * @param data the folder of the program's own data: the embedded server, the development issuer;
 *     default {@code data}
 * @param readyFile a file that exists while the program is ready
 * @param demo whether there are demonstration handlers and jobs; default only with an embedded
 *     database
 * @param devIssuer whether tokens of the development issuer are accepted; default only with the
 *     demonstration on an embedded database
 * @param stopGrace how long jobs and requests may continue at shutdown; default 30 s, and 2 s with
 *     the demonstration
 */
public record ProgramSettings(
    Set<ProgramRole> roles,
    Path data,
    Optional<Path> readyFile,
    Optional<Boolean> demo,
    Optional<Boolean> devIssuer,
    Optional<Duration> stopGrace) {

  /** All settings of the program. */
  public static final List<Setting<ProgramSettings, ?>> ALL =
      List.of(
          Setting.of("roles", Kinds.anyOf(ProgramRole.class), ProgramSettings::roles),
          Setting.of("data", FOLDER, ProgramSettings::data),
          Setting.of("ready-file", FILE, ProgramSettings::readyFile),
          Setting.of("demo", SWITCH, ProgramSettings::demo),
          Setting.of("dev-issuer", SWITCH, ProgramSettings::devIssuer),
          Setting.of("stop-grace", TIME, ProgramSettings::stopGrace));

  private static final Duration GRACE = Duration.ofSeconds(30);
  private static final Duration DEMONSTRATION_GRACE = Duration.ofSeconds(2);
  private static final Duration GRACE_MOST = Duration.ofHours(1);

  /**
   * Checks the limits.
   *
   * @throws IllegalArgumentException if a value is out of range
   */
  public ProgramSettings {
    roles = Set.copyOf(roles);
    if (roles.isEmpty()) {
      throw new IllegalArgumentException(
          "roles must be one or more of api, worker, maintenance, not nothing");
    }
    stopGrace.ifPresent(ProgramSettings::requireGrace);
  }

  /** Returns the defaults. */
  public static ProgramSettings defaults() {
    return new ProgramSettings(
        EnumSet.allOf(ProgramRole.class),
        Path.of("data"),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public boolean is(ProgramRole role) {
    return roles.contains(role);
  }

  public String rolesInWords() {
    return roles.stream()
        .sorted()
        .map(it -> it.name().toLowerCase(Locale.ROOT))
        .collect(Collectors.joining(", "));
  }

  /** How long what runs may go on when the program is told to stop. */
  public Duration grace(boolean demonstration) {
    return stopGrace.orElse(demonstration ? DEMONSTRATION_GRACE : GRACE);
  }

  private static void requireGrace(Duration grace) {
    if (grace.compareTo(GRACE_MOST) > 0) {
      throw new IllegalArgumentException(
          "stopGrace must be PT0S to %s, not %s".formatted(GRACE_MOST, grace));
    }
  }

  private ProgramSettings roles(List<ProgramRole> roles) {
    return but(draft -> draft.roles = Set.copyOf(roles));
  }

  private ProgramSettings data(Path data) {
    return but(draft -> draft.data = data);
  }

  private ProgramSettings readyFile(Path file) {
    return but(draft -> draft.readyFile = Optional.of(file));
  }

  private ProgramSettings demo(boolean demo) {
    return but(draft -> draft.demo = Optional.of(demo));
  }

  private ProgramSettings devIssuer(boolean devIssuer) {
    return but(draft -> draft.devIssuer = Optional.of(devIssuer));
  }

  private ProgramSettings stopGrace(Duration grace) {
    return but(draft -> draft.stopGrace = Optional.of(grace));
  }

  private ProgramSettings but(Consumer<Draft> change) {
    var draft = new Draft(this);
    change.accept(draft);
    return draft.settings();
  }

  /** A mutable copy of the settings. */
  private static final class Draft {

    private Set<ProgramRole> roles;
    private Path data;
    private Optional<Path> readyFile;
    private Optional<Boolean> demo;
    private Optional<Boolean> devIssuer;
    private Optional<Duration> stopGrace;

    private Draft(ProgramSettings settings) {
      roles = settings.roles;
      data = settings.data;
      readyFile = settings.readyFile;
      demo = settings.demo;
      devIssuer = settings.devIssuer;
      stopGrace = settings.stopGrace;
    }

    private ProgramSettings settings() {
      return new ProgramSettings(roles, data, readyFile, demo, devIssuer, stopGrace);
    }
  }
}
