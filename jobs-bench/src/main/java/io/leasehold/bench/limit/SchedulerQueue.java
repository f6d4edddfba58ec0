package io.leasehold.bench.limit;

import com.github.kagkarlsson.scheduler.Scheduler;
import com.github.kagkarlsson.scheduler.serializer.Serializer;
import com.github.kagkarlsson.scheduler.task.TaskInstance;
import com.github.kagkarlsson.scheduler.task.helper.OneTimeTask;
import com.github.kagkarlsson.scheduler.task.helper.Tasks;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.leasehold.bench.Contender;
import io.leasehold.bench.Payload;
import io.leasehold.bench.Tally;
import io.leasehold.embedded.EmbeddedServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicReference;

/**
 * db-scheduler in its best configuration: it locks and fetches in one statement, up to four times
 * its threads at once, and immediately executes jobs submitted by this process. It deletes finished
 * jobs.
 */
public final class SchedulerQueue implements Contender {

  private static final String DEFINITION =
      """
      DROP TABLE IF EXISTS public.scheduled_tasks;
      CREATE TABLE public.scheduled_tasks (
        task_name text NOT NULL, task_instance text NOT NULL, task_data bytea,
        execution_time timestamptz, picked boolean NOT NULL, picked_by text,
        last_success timestamptz, last_failure timestamptz, consecutive_failures int,
        last_heartbeat timestamptz, version bigint NOT NULL, priority smallint, state text,
        PRIMARY KEY (task_name, task_instance)
      ) WITH (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 10000,
        autovacuum_vacuum_cost_delay = 0);
      CREATE INDEX execution_time_idx ON public.scheduled_tasks (execution_time);
      CREATE INDEX last_heartbeat_idx ON public.scheduled_tasks (last_heartbeat);
      """;

  private static final int THREADS = 50;
  private static final int CONNECTIONS = 20;
  private static final double LOWER = 1.0;
  private static final double UPPER = 4.0;

  private final BenchServer server;
  private final HikariDataSource pool;
  private final OneTimeTask<String> task;
  private final Scheduler scheduler;
  private final AtomicReference<Tally> tally = new AtomicReference<>(new Tally(0));

  private SchedulerQueue(BenchServer server) {
    this.server = server;
    this.pool = pool(server);
    this.task =
        Tasks.oneTime("noop", String.class)
            .execute((instance, _) -> tally.get().run(Payload.number(instance.getData())));
    this.scheduler =
        Scheduler.create(pool, task)
            .threads(THREADS)
            .pollUsingLockAndFetch(LOWER, UPPER)
            .pollingInterval(Duration.ofMillis(100))
            .enableImmediateExecution()
            .serializer(new Text())
            .build();
  }

  /** Creates an empty queue. */
  public static SchedulerQueue emptied(BenchServer server) {
    server.execute(DEFINITION);
    return new SchedulerQueue(server);
  }

  private static HikariDataSource pool(BenchServer server) {
    var config = new HikariConfig();
    config.setJdbcUrl(server.jdbcUrl());
    config.setUsername(EmbeddedServer.SUPERUSER);
    config.setPassword(server.password());
    config.setMaximumPoolSize(CONNECTIONS);
    config.addDataSourceProperty("reWriteBatchedInserts", "true");
    return new HikariDataSource(config);
  }

  @Override
  public String name() {
    return "db-scheduler";
  }

  @Override
  public void submit(int number) {
    scheduler.schedule(instance(number), Instant.EPOCH);
  }

  @Override
  public void submitAll(int first, int count) {
    var instances = new ArrayList<TaskInstance<?>>(count);
    for (int i = first; i < first + count; i++) {
      instances.add(instance(i));
    }
    scheduler.scheduleBatch(instances, Instant.EPOCH);
  }

  private TaskInstance<String> instance(int number) {
    return task.instance(Integer.toString(number), Payload.of(number).json());
  }

  @Override
  public void start(Tally tally) {
    this.tally.set(tally);
    scheduler.start();
  }

  @Override
  public boolean isDone() {
    return server.number("SELECT count(*) FROM public.scheduled_tasks") == 0;
  }

  /** Every deleted job has succeeded. */
  @Override
  public long succeeded() {
    return tally.get().count() - server.number("SELECT count(*) FROM public.scheduled_tasks");
  }

  @Override
  public void stop() {
    scheduler.stop();
  }

  @Override
  public void close() {
    pool.close();
  }

  /** Serialises data as text. */
  private static final class Text implements Serializer {

    @Override
    public byte[] serialize(Object data) {
      return data.toString().getBytes(StandardCharsets.UTF_8);
    }

    @Override
    public <T> T deserialize(Class<T> type, byte[] data) {
      return type.cast(new String(data, StandardCharsets.UTF_8));
    }
  }
}
