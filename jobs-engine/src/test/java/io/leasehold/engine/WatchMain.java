package io.leasehold.engine;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobType;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;

/** A process whose job tells whatever the process is told, and ends when that is "end". */
final class WatchMain {

  static final JobType<String, String> ELSEWHERE = Handlers.type("elsewhere");

  private static final BlockingQueue<String> lines = new LinkedBlockingQueue<>();

  private WatchMain() {}

  /**
   * Works.
   *
   * @param args the database's JDBC URL
   */
  public static void main(String... args) throws IOException {
    var config = EngineConfig.defaults().writesPerSecond(1_000);
    var handlers = new Handlers().with(ELSEWHERE, WatchMain::tell);
    try (var engine = RunningEngine.on(RunningEngine.at(args[0]).build(), config, handlers)) {
      var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
      for (var line = in.readLine(); line != null; line = in.readLine()) {
        lines.add(line);
      }
      engine.stop(Duration.ZERO);
    }
  }

  private static String tell(JobContext job, String input) throws InterruptedException {
    System.out.println("begun");
    for (var line = lines.take(); !line.equals("end"); line = lines.take()) {
      job.event(line, Map.of());
    }
    return input;
  }
}
