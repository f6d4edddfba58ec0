package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.plans.process.Command;
import io.leasehold.plans.process.LockedFolder;
import io.leasehold.plans.server.LocalHost;
import io.leasehold.plans.server.ServerFolder;
import io.leasehold.plans.server.ServerHost;
import io.leasehold.plans.server.ServerSettings;
import io.leasehold.testkit.TestDatabase;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;

/** Snapshots of servers that are processes of this machine. */
class LocalSnapshotsTest extends ServerSnapshots {

  @RegisterExtension static final TestDatabase database = new TestDatabase();

  @Override
  PostgresConfig config(Path servers) throws Exception {
    return PostgresConfig.local(servers, Programs.ofServer(database));
  }

  @Override
  List<String> left() {
    return ProcessHandle.allProcesses()
        .map(process -> process.info().commandLine().orElse(""))
        .filter(words -> words.contains("postgres") && words.contains(config.folder().toString()))
        .toList();
  }

  @Override
  void killDuringASnapshot() throws IOException {
    LeftServer.startAndSnapshot(config);
  }

  /** The server was killed, and its process lives until it can see that. */
  @Override
  void release(String pid) throws Exception {
    Command.of("kill", "-CONT", pid).run();
  }

  /** Ends its servers without a checkpoint, and says that they have stopped. */
  private record HastyHost(ServerHost host) implements ServerHost {

    @Override
    public void initialise(ServerFolder folder) throws IOException, InterruptedException {
      host.initialise(folder);
    }

    @Override
    public void start(ServerFolder folder, Duration most) throws IOException, InterruptedException {
      host.start(folder, most);
    }

    @Override
    public void stop(ServerFolder folder, Duration most) throws IOException, InterruptedException {
      host.kill(folder);
    }

    @Override
    public void kill(ServerFolder folder) throws IOException, InterruptedException {
      host.kill(folder);
    }
  }

  @Test
  void serverThatDidNotShutDownIsNotCopied() throws Exception {
    var settings = new ServerSettings(Map.of());
    var host = new HastyHost(new LocalHost(config.programs().orElseThrow(), settings));
    var own = LockedFolder.make(config.folder(), "a-1");
    own.inside(ServerFolder.SOCKETS);
    host.initialise(new ServerFolder(own.path()));
    var state = new PostgresState(config, host, own);
    state.get().ask("CREATE TABLE account ()");

    assertThatThrownBy(() -> state.snapshot(snapshot(store, 1)))
        .isInstanceOf(IOException.class)
        .hasMessageContaining("was not shut down cleanly");

    state.abort();
    assertThat(kept()).isEmpty();
  }
}
