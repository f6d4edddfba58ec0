package io.leasehold.proofs.stress;

import io.leasehold.proofs.stress.Begins.Begin;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;

/** A worker and a submitter whose wall clocks are wrong alike. */
final class Skewed implements AutoCloseable {

  /** What lies between a clock's reading there and here; it is nothing beside the skew. */
  private static final Duration CLOSE = Duration.ofSeconds(30);

  private final Skew skew;
  private final Begins begins;
  private final Fleet.Worker worker;
  private final Process submitter;

  /** Starts them on a database. */
  Skewed(Skew skew, String jdbcUrl, Begins begins) throws IOException {
    this.skew = skew;
    this.begins = begins;
    var environment = skew.environment();
    worker = new Fleet.Worker(Fleet.launch(WorkerMain.class, environment, jdbcUrl));
    begins.hear(worker);
    submitter =
        Fleet.launch(SubmitterMain.class, environment, jdbcUrl, Integer.toString(skew.tenant()));
  }

  /** Waits until both work; the submitter tells its time. */
  void awaitReady(Findings findings) throws IOException, InterruptedException {
    var told = Objects.requireNonNull(submitter.inputReader().readLine(), "the submitter ended");
    var offset = Long.parseLong(told.replace("clock ", "")) - System.currentTimeMillis();
    findings.require(
        isOff(Duration.ofMillis(offset)),
        "the %s submitter's clock is off by %d s".formatted(skew, offset / 1_000));
    while (!begins.works(worker)) {
      if (!worker.process().isAlive()) {
        throw new IllegalStateException("the worker ended");
      }
      Thread.sleep(50);
    }
  }

  private boolean isOff(Duration offset) {
    return offset.minus(skew.offset()).abs().compareTo(CLOSE) < 0;
  }

  /** Has the submitter do something, and answers what it says. */
  String ask(String line) throws IOException {
    var writer = submitter.outputWriter();
    writer.write(line);
    writer.newLine();
    writer.flush();
    return submitter.inputReader().readLine();
  }

  /** What began on the worker, by the true time. */
  List<Begin> begun() {
    return begins.all().stream()
        .filter(begin -> begin.pid() == worker.process().pid())
        .map(
            begin ->
                new Begin(
                    begin.job(),
                    begin.token(),
                    begin.pid(),
                    begin.at().minus(skew.offset()),
                    begin.heardAt()))
        .toList();
  }

  /** Shows that the worker's clock is wrong: without that, all else shows nothing. */
  void judge(Findings findings) {
    var begun = begun();
    var off =
        begun.stream()
            .filter(
                begin -> isOff(Duration.between(begin.heardAt(), begin.at()).plus(skew.offset())))
            .count();
    var offset =
        begun.isEmpty()
            ? 0
            : Duration.between(begun.getLast().heardAt(), begun.getLast().at())
                .plus(skew.offset())
                .toSeconds();
    findings.require(
        begun.size() >= 100 && off == begun.size(),
        "the %s worker's clock is off by %d s: as %d of the %d handlers say that began on it"
            .formatted(skew, offset, off, begun.size()));
  }

  @Override
  public void close() {
    worker.process().destroyForcibly().onExit().join();
    submitter.destroyForcibly().onExit().join();
  }
}
