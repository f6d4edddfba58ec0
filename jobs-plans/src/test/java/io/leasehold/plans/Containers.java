package io.leasehold.plans;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.leasehold.plans.process.Command;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The engine of containers on this machine, and what it has of plans. */
final class Containers {

  private static final String IMAGE =
      Optional.ofNullable(System.getenv("LEASEHOLD_TEST_IMAGE")).orElse("postgres:18");

  private Containers() {}

  /** Servers in containers; skips a test, and says why, where no engine has an image of them. */
  static PostgresConfig config(Path servers) throws InterruptedException {
    assumeTrue(
        succeeds("docker", "image", "inspect", IMAGE),
        "no Docker engine answers that has the image " + IMAGE);
    return PostgresConfig.containers(servers, IMAGE);
  }

  private static boolean succeeds(String... words) throws InterruptedException {
    try {
      return Command.of(words).run().code() == 0;
    } catch (IOException e) {
      return false; // There is no such program.
    }
  }

  /** The ids of those that plans have, whether they run or not. */
  static List<String> ids() throws IOException, InterruptedException {
    return docker("ps", "-a", "-q", "--no-trunc", "--filter", "label=io.leasehold.plan")
        .lines()
        .toList();
  }

  static String docker(String... words) throws IOException, InterruptedException {
    var all = new ArrayList<>(List.of("docker"));
    all.addAll(List.of(words));
    return Command.of(all).succeed();
  }
}
