package io.leasehold.proofs.stress;

import java.io.IOException;
import java.nio.file.Files;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;

/** Runs the proofs that need real processes. Ends with 1 if one of them failed. */
final class Stress {

  private static final List<String> ALL =
      List.of(
          "freezes",
          "cuts",
          "terminations",
          "clocks",
          "clock-back",
          "cron",
          "steps",
          "streams",
          "builds",
          "mirrors",
          "full-disk",
          "read-only",
          "jit",
          "storm");

  /** Of a schedule, one a second. */
  private static final int SLOTS = 100;

  private static final int ROUNDS = 20;
  private static final Duration DISK_IS_FULL = Duration.ofSeconds(15);
  private static final Duration IS_READ_ONLY = Duration.ofSeconds(10);

  private Stress() {}

  /**
   * Runs all proofs, or those that are named.
   *
   * @param args names of proofs; a number is the seed of chance
   */
  public static void main(String... args) throws Exception {
    var seed = ThreadLocalRandom.current().nextLong(1_000_000);
    var chosen = new ArrayList<String>();
    for (var arg : args) {
      if (arg.matches("[0-9]+")) {
        seed = Long.parseLong(arg);
      } else {
        chosen.add(arg);
      }
    }
    var findings = new Findings();
    for (var proof : chosen.isEmpty() ? ALL : chosen) {
      var fence = Boolean.getBoolean("leasehold.fenced") ? "" : ", without the fence";
      System.out.printf("%s (seed %d%s)%n", proof, seed, fence);
      switch (proof) {
        case "full-disk" -> fillDisk(seed, findings);
        case "read-only" -> refuseWrites(seed, findings);
        default -> prove(proof, seed, findings);
      }
    }
    findings.tell();
    System.exit(findings.isEmpty() ? 0 : 1);
  }

  private static int rounds() {
    return Integer.getInteger("leasehold.rounds", ROUNDS);
  }

  private static void fillDisk(long seed, Findings findings)
      throws IOException, SQLException, InterruptedException {
    if (!FullDisk.isPossible()) {
      System.out.println("  skipped: only root can mount the small disk that is filled");
      return;
    }
    try (var disk = FullDisk.mount()) {
      new Outages(seed, disk.server(), disk, rounds(), DISK_IS_FULL).run(findings);
      System.out.printf("  the server ended and was started again %d times%n", disk.starts());
    }
  }

  private static void refuseWrites(long seed, Findings findings)
      throws IOException, SQLException, InterruptedException {
    try (var server = ReadOnly.start()) {
      new Outages(seed, server.server(), server, rounds(), IS_READ_ONLY).run(findings);
    }
  }

  private static void prove(String proof, long seed, Findings findings)
      throws IOException, SQLException, InterruptedException {
    switch (proof) {
      case "jit", "clock-back" -> provePackaged(proof, findings);
      default -> proveEmbedded(proof, seed, findings);
    }
  }

  // On a server with LLVM, or one whose clock can be set.
  private static void provePackaged(String proof, Findings findings)
      throws IOException, SQLException, InterruptedException {
    var folder = Files.createTempDirectory("leasehold-stress-");
    if (proof.equals("jit")) {
      var packaged = PackagedServer.in(folder, Map.of());
      try (var server = StressServer.of(packaged, folder)) {
        new Jit(packaged, server).run(findings);
      }
    } else {
      var clock = new ServerClock(folder);
      var packaged = PackagedServer.in(folder, clock.environment());
      try (var server = StressServer.of(packaged, folder)) {
        new ClockBack(server, clock).run(findings);
      }
    }
  }

  private static void proveEmbedded(String proof, long seed, Findings findings)
      throws IOException, SQLException, InterruptedException {
    try (var server = StressServer.start()) {
      switch (proof) {
        case "freezes" -> new Freezes(server).run(findings);
        case "cuts" -> new Cuts(server).run(findings);
        case "terminations" -> new Terminations(server).run(findings);
        case "clocks" -> new Clocks(server).run(findings);
        case "cron" -> new Cron(server, Integer.getInteger("leasehold.slots", SLOTS)).run(findings);
        case "steps" -> new Steps(seed, server).run(findings);
        case "streams" -> new Streams(seed, server).run(findings);
        case "builds" -> new Builds(seed, server).run(findings);
        case "mirrors" -> new Mirrors(seed, server).run(findings);
        case "storm" -> new Storm(seed, server).run(findings);
        default ->
            throw new IllegalArgumentException("there is no proof %s: %s".formatted(proof, ALL));
      }
    }
  }
}
