package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.plans.process.LockedFolder;
import io.leasehold.plans.server.ServerFolder;
import io.leasehold.plans.server.ServerHost;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes of a server's folder, whatever becomes of the server. */
class PostgresStateTest {

  @TempDir Path folder;

  /** A server that does not end. */
  private static final class Stubborn implements ServerHost {

    @Override
    public void initialise(ServerFolder server) {
      throw new IllegalStateException("not expected");
    }

    @Override
    public void start(ServerFolder server, Duration most) {
      throw new IllegalStateException("not expected");
    }

    @Override
    public void stop(ServerFolder server, Duration most) throws IOException {
      throw new IOException("it goes on");
    }

    @Override
    public void kill(ServerFolder server) throws IOException {
      throw new IOException("it goes on");
    }
  }

  @Test
  void folderIsLeftToTheNextAttemptIfTheServerDoesNotStop() throws Exception {
    var config = PostgresConfig.local(Path.of("/tmp"), Path.of("/nowhere"));
    var own = LockedFolder.make(folder, "a-1");
    var state = new PostgresState(config, new Stubborn(), own);

    assertThatThrownBy(state::abort).hasMessage("it goes on");

    assertThat(own.path()).exists();
    LockedFolder.deleteLeftOver(folder, "", _ -> {});
    assertThat(folder).isEmptyDirectory();
  }
}
