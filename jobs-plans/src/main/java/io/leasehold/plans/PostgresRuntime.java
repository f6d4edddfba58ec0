package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import io.leasehold.plans.process.LockedFolder;
import io.leasehold.plans.server.ContainerHost;
import io.leasehold.plans.server.LocalHost;
import io.leasehold.plans.server.ServerFolder;
import io.leasehold.plans.server.ServerHost;
import io.leasehold.plans.server.ServerSettings;
import java.io.IOException;
import java.util.Optional;

/**
 * Gives each attempt its own PostgreSQL server, as a process or a container. The server lives as
 * long as the attempt and is stopped for snapshots, which are copies of its data. Its container
 * keeps running during a snapshot.
 *
 * <p>Servers and folders that killed processes left on this machine are removed whenever an attempt
 * starts. Safe to share between threads, and between processes that use the same folder.
 */
public final class PostgresRuntime implements PlanRuntime<PostgresServer> {

  private static final int ID_END = 12;

  private final PostgresConfig config;
  private final ServerHost host;

  /** Creates the runtime; starts no server yet. */
  public PostgresRuntime(PostgresConfig config) {
    this.config = config;
    var settings = new ServerSettings(config.settings());
    this.host =
        config
            .programs()
            .<ServerHost>map(programs -> new LocalHost(programs, settings))
            .orElseGet(
                () -> new ContainerHost(config.docker(), config.image().orElseThrow(), settings));
  }

  @Override
  public PlanState<PostgresServer> open(JobContext job, Optional<Snapshot> from)
      throws IOException, InterruptedException {
    LockedFolder.deleteLeftOver(config.folder(), "", left -> host.kill(new ServerFolder(left)));
    var own = LockedFolder.make(config.folder(), name(job));
    var folder = new ServerFolder(own.path());
    var state = new PostgresState(config, host, own);
    try {
      own.inside(ServerFolder.SOCKETS);
      if (from.isPresent()) {
        from.get().restore(folder.data());
      } else {
        host.initialise(folder);
      }
      return state;
    } catch (IOException | InterruptedException | RuntimeException e) {
      abort(state, e);
      throw e;
    }
  }

  private static void abort(PostgresState state, Exception failure) {
    try {
      state.abort();
    } catch (IOException | InterruptedException e) { // The first failure is the one that counts.
      failure.addSuppressed(e);
    }
  }

  // The end of an id is random. The fence token is unique to the attempt.
  private static String name(JobContext job) {
    var id = job.id().toString();
    var token = Long.toString(job.fenceToken(), Character.MAX_RADIX);
    return id.substring(id.length() - ID_END) + "-" + token;
  }
}
