package io.leasehold.plans;

import io.leasehold.plans.process.LockedFolder;
import io.leasehold.plans.server.ControlFile;
import io.leasehold.plans.server.ServerFolder;
import io.leasehold.plans.server.ServerHost;
import java.io.IOException;
import java.time.Duration;

/** An attempt's server, which is started when a task needs it. */
final class PostgresState implements PlanState<PostgresServer> {

  /** Less than a worker waits for an interrupted handler. */
  private static final Duration CLOSE_MOST = Duration.ofSeconds(4);

  private final PostgresConfig config;
  private final ServerHost host;
  private final LockedFolder own;
  private final ServerFolder folder;
  private boolean runs;

  PostgresState(PostgresConfig config, ServerHost host, LockedFolder own) {
    this.config = config;
    this.host = host;
    this.own = own;
    this.folder = new ServerFolder(own.path());
  }

  @Override
  public PostgresServer get() throws IOException, InterruptedException {
    if (!runs) {
      host.start(folder, config.startLimit());
      runs = true;
    }
    return new PostgresServer(folder.sockets(), config.psql());
  }

  // Stops the server, so that its data are consistent. The next task that needs it starts it again.
  @Override
  public void snapshot(Snapshot to) throws IOException, InterruptedException {
    stop(config.startLimit());
    ControlFile.requireShutDown(folder);
    to.save(folder.data());
  }

  private void stop(Duration most) throws IOException, InterruptedException {
    if (runs) {
      // Set even if the server does not stop: it is no longer wanted, and is killed.
      runs = false;
      host.stop(folder, most);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    try {
      stop(CLOSE_MOST);
    } finally {
      abort();
    }
  }

  @Override
  public void abort() throws IOException, InterruptedException {
    var isEnded = false;
    try {
      host.kill(folder);
      isEnded = true;
    } finally {
      if (isEnded) {
        own.close();
      } else {
        own.leave();
      }
    }
  }
}
