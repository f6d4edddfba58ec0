package io.leasehold.bench.load;

import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** Measures rows of the table of speed and cost: all of them, or the named ones. */
public final class Bench {

  private Bench() {}

  private static SequencedMap<String, Row> rows() {
    var rows = new LinkedHashMap<String, Row>();
    rows.put("drain", new Drain());
    rows.put("submit", new Submit());
    rows.put("bulk", new BulkSubmit());
    rows.put("cost", new JobCost());
    rows.put("pick-up", new PickUp());
    rows.put("steady", new Steady());
    rows.put("snapshot", new HeldSnapshot());
    rows.put("full", new FullTables());
    rows.put("waiting", new WaitingJobs());
    rows.put("mirrors", new Mirrors());
    rows.put("tenants", new ManyTenants());
    rows.put("fairness", new Fairness());
    rows.put("streams", new Streams());
    return rows;
  }

  public static void main(String... args)
      throws IOException, InterruptedException, ExecutionException, TimeoutException {
    var names = args.length == 0 ? names() : List.of(args);
    var report = Report.of(args.length == 0 ? "all" : String.join("-", names));
    try (var server = BenchServer.start()) {
      EngineQueue.migrate(server);
      report.add("Server: " + BenchServer.settings());
      run(names, server, Sizes.full(), report);
    }
    report.write(Path.of("docs", "bench"));
  }

  /** Returns all rows, the most important first. */
  static List<String> names() {
    return List.copyOf(rows().keySet());
  }

  static void run(List<String> names, BenchServer server, Sizes sizes, Report report)
      throws InterruptedException, ExecutionException, TimeoutException {
    var rows = rows();
    for (var name : names) {
      var row = rows.get(name);
      if (row == null) {
        throw new IllegalArgumentException(
            "the row must be one of %s, not %s".formatted(rows.keySet(), name));
      }
      report.add("", "## " + name, "");
      row.measure(server, sizes, report);
    }
  }
}
