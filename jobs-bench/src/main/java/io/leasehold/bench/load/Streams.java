package io.leasehold.bench.load;

import static io.leasehold.engine.HandlerBinder.handlerBinder;

import com.google.inject.AbstractModule;
import io.leasehold.bench.BenchPace;
import io.leasehold.bench.Latencies;
import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import io.leasehold.bench.stream.Crowd;
import io.leasehold.bench.stream.StreamProcess;
import io.leasehold.bench.stream.TickJob;
import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Measures how soon a client of server-sent events sees an event that a job reports on another
 * instance, alone and among ten thousand other clients, and how many database connections that
 * takes.
 */
final class Streams implements Row {

  private static final Duration SPACE = Duration.ofMillis(20);
  private static final Duration MOST = Duration.ofMinutes(2);
  private static final int FEW = 50;
  private static final int AT_THE_DOOR = 200;
  private static final int JOBS_MOST = 1_000;
  private static final TenantId TENANT = EngineQueue.caller(0).tenant();
  private static final int LOOK_EACH = 50;

  @Override
  public void measure(BenchServer server, Sizes sizes, Report report)
      throws TimeoutException, InterruptedException {
    report.add(
        "%,d events of jobs in turn, %d ms apart, told by one instance and read from another;"
                .formatted(sizes.events(), SPACE.toMillis())
            + " ms from when the handler told until each client of the job has it;"
            + " as many before them are not counted.");
    report.table("clients", "events read", "p50", "p99", "most", "connections of tenants, most");
    for (var clients : List.of(Math.min(FEW, sizes.clients()), sizes.clients())) {
      tell(server, clients, sizes.events(), report);
    }
  }

  private static void tell(BenchServer server, int clients, int events, Report report)
      throws TimeoutException, InterruptedException {
    var handler = new TickJob();
    try (var works = EngineQueue.emptied(server, new Ticking(handler));
        var streams = StreamProcess.start(server.jdbcUrl(), EngineQueue.PASSWORD, TENANT)) {
      works.start();
      var jobs = submit(works, Math.min(JOBS_MOST, clients));
      await("all jobs to run", () -> handler.running() == jobs.size());
      var heard = new ConcurrentLinkedQueue<Long>();
      try (var crowd = new Crowd(streams.port(), (line, at) -> hear(line, at, heard))) {
        join(crowd, clients, jobs, streams);
        var expected = events * (clients / jobs.size());
        tick(handler, jobs, events, server); // Warms the machine up.
        await("all events to be read", () -> heard.size() >= expected);
        heard.clear();
        var connections = tick(handler, jobs, events, server);
        await("all events to be read", () -> heard.size() >= expected);
        requireWhole(crowd.streaming() == clients && heard.size() == expected);
        var cells = Latencies.of(heard.stream().mapToLong(Long::longValue).toArray()).cells();
        report.row(
            Report.number(clients, 0),
            Report.number(expected, 0),
            cells[0],
            cells[1],
            cells[2],
            Long.toString(connections));
      }
      handler.end();
      works.stop();
    } catch (IOException e) {
      throw new IllegalStateException("streams cannot be read", e);
    }
  }

  private static void join(Crowd crowd, int clients, List<JobId> jobs, StreamProcess streams)
      throws IOException, TimeoutException, InterruptedException {
    for (int i = 0; i < clients; i++) {
      var joined = i;
      await("clients to be answered", () -> crowd.streaming() >= joined - AT_THE_DOOR);
      crowd.join(
          "/api/v1/jobs/%s/events/stream".formatted(jobs.get(i % jobs.size())), streams.token());
    }
    await("all clients to be answered", () -> crowd.streaming() == clients);
  }

  /** Returns the highest number of connections seen. */
  private static long tick(TickJob handler, List<JobId> jobs, int events, BenchServer server) {
    var connections = new AtomicLong();
    BenchPace.every(SPACE)
        .run(
            0,
            1,
            events,
            number -> {
              handler.tick(jobs.get(number % jobs.size()));
              if (number % LOOK_EACH == 0) {
                connections.accumulateAndGet(server.number(StreamProcess.connections()), Math::max);
              }
            });
    return connections.get();
  }

  private static void requireWhole(boolean isWhole) {
    if (!isWhole) {
      throw new IllegalStateException("a client is lost, or an event was read twice");
    }
  }

  private static List<JobId> submit(EngineQueue works, int jobs) {
    var ids = new ArrayList<JobId>();
    for (int i = 0; i < jobs; i++) {
      ids.add(works.submit(TickJob.TYPE.request("")));
    }
    return ids;
  }

  private static void hear(String line, long at, ConcurrentLinkedQueue<Long> latencies) {
    var begin = line.indexOf("\"sent\":");
    if (begin >= 0) {
      var end = line.indexOf('}', begin);
      latencies.add(at - Long.parseLong(line.substring(begin + 7, end).strip()));
    }
  }

  private static void await(String what, BooleanSupplier isSo)
      throws TimeoutException, InterruptedException {
    var end = System.nanoTime() + MOST.toNanos();
    while (!isSo.getAsBoolean()) {
      if (System.nanoTime() - end > 0) {
        throw new TimeoutException("waited in vain for " + what);
      }
      Thread.sleep(10);
    }
  }

  private static final class Ticking extends AbstractModule {

    private final TickJob handler;

    private Ticking(TickJob handler) {
      this.handler = handler;
    }

    @Override
    protected void configure() {
      handlerBinder(binder()).handle(TickJob.TYPE).with(handler);
    }
  }
}
