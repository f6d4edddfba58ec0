package io.leasehold.rest.program.settings;

import static io.leasehold.rest.settings.Kinds.FOLDER;
import static io.leasehold.rest.settings.Kinds.NUMBER;
import static io.leasehold.rest.settings.Kinds.NUMBERS;
import static io.leasehold.rest.settings.Kinds.SIZE;
import static io.leasehold.rest.settings.Kinds.TEXT;
import static io.leasehold.rest.settings.Kinds.TIME;

import io.leasehold.engine.EngineConfig;
import io.leasehold.engine.EngineConfig.Role;
import io.leasehold.rest.settings.Kinds;
import io.leasehold.rest.settings.Setting;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;

/** The settings of the engine. */
public final class EngineSettings {

  public static final List<Setting<EngineConfig, ?>> ALL =
      List.of(
          Setting.of("engine.worker-name", TEXT, EngineConfig::workerName),
          Setting.of("engine.mode", Kinds.oneOf(EngineConfig.Mode.class), EngineConfig::mode),
          Setting.of("engine.concurrency", NUMBER, EngineConfig::concurrency),
          Setting.of("engine.concurrency-of", NUMBERS, EngineConfig::concurrencyOf),
          Setting.of("engine.direct-concurrency", NUMBER, EngineConfig::directConcurrency),
          Setting.of("engine.memory-concurrency", NUMBER, EngineConfig::memoryConcurrency),
          Setting.of("engine.memory-capacity", NUMBER, EngineConfig::memoryCapacity),
          Setting.of("engine.memory-kept", TIME, EngineConfig::memoryKept),
          Setting.of("engine.lease", TIME, EngineConfig::lease),
          Setting.of("engine.rescue-every", TIME, EngineConfig::rescueEvery),
          Setting.of("engine.stale-after", TIME, EngineConfig::staleAfter),
          Setting.of("engine.poll-every", TIME, EngineConfig::pollEvery),
          Setting.of("engine.watch-every", TIME, EngineConfig::watchEvery),
          Setting.of("engine.cancel-grace", TIME, EngineConfig::cancelGrace),
          Setting.of("engine.writes-per-second", NUMBER, EngineConfig::writesPerSecond),
          Setting.of("engine.events-most", NUMBER, EngineConfig::eventsMost),
          Setting.of("engine.days-ahead", NUMBER, EngineConfig::daysAhead),
          Setting.of("engine.retention", TIME, EngineConfig::retention),
          Setting.of(
              "engine.outputs.folder",
              FOLDER,
              (config, folder) -> config.outputs(config.outputs().folder(folder))),
          Setting.of(
              "engine.outputs.bytes-most",
              SIZE,
              (config, most) -> config.outputs(config.outputs().bytesMost(most))));

  private EngineSettings() {}

  /** With the part of the program's roles that is the engine's. */
  public static EngineConfig withRoles(EngineConfig config, Set<ProgramRole> roles) {
    var engineRoles = EnumSet.noneOf(Role.class);
    if (roles.contains(ProgramRole.WORKER)) {
      engineRoles.add(Role.WORKER);
    }
    if (roles.contains(ProgramRole.MAINTENANCE)) {
      engineRoles.add(Role.MAINTENANCE);
    }
    return config.roles(engineRoles);
  }
}
