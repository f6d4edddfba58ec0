package io.leasehold.embedded;

import static java.nio.file.attribute.PosixFilePermission.OWNER_READ;
import static java.nio.file.attribute.PosixFilePermission.OWNER_WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DurableServerTest {

  @TempDir private Path folder;

  @Test
  void keepsItsData() throws SQLException {
    try (var server = start()) {
      new Sql(server).execute("CREATE TABLE kept AS SELECT 7 AS value");
    }

    try (var server = start()) {
      assertThat(new Sql(server).answer("SELECT value FROM kept")).isEqualTo("7");
    }
  }

  @Test
  void writesCommitsToDisk() throws SQLException {
    try (var server = start()) {
      assertThat(new Sql(server).answer("SHOW fsync")).isEqualTo("on");
      assertThat(new Sql(server).answer("SHOW synchronous_commit")).isEqualTo("on");
    }
  }

  @Test
  void keepsThePasswordToItsOwner() throws IOException {
    start().close();

    assertThat(Files.getPosixFilePermissions(folder.resolve("password")))
        .containsExactlyInAnyOrder(OWNER_READ, OWNER_WRITE);
  }

  @Test
  void everythingInTheFolderIsItsOwners() throws Exception {
    var data = folder.resolve("made/data");

    EmbeddedServer.in(data, Map.of()).close();

    assertThat(rights(data)).isEqualTo("rwx------");
    assertThat(rights(data.resolve("server.log"))).isEqualTo("rw-------");
    assertThat(rights(data.resolve("cluster"))).isEqualTo("rwx------");
  }

  /** An earlier version, or an operator by hand, gave the folder wider rights. */
  @Test
  void widerPermissionsAreRevokedAtTheStart() throws Exception {
    start().close();
    Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
    var log = folder.resolve("server.log");
    Files.setPosixFilePermissions(log, PosixFilePermissions.fromString("rw-r--r--"));

    try (var server = start()) {
      assertThat(rights(folder)).isEqualTo("rwx------");
      assertThat(rights(log)).isEqualTo("rw-------");
      assertThat(new Sql(server).answer("SELECT 7")).isEqualTo("7");
    }
  }

  /** A child has the mask; it makes all that a first start makes. */
  @Test
  void rightsAreTheSameWithoutAMask() throws Exception {
    var data = folder.resolve("data");
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var words =
        List.of(
            "sh",
            "-c",
            "umask 000; exec \"$@\"",
            "sh",
            java,
            "-cp",
            System.getProperty("java.class.path"),
            StartAndStop.class.getName(),
            data.toString());

    var process = new ProcessBuilder(words).inheritIO().start();

    assertThat(process.waitFor()).isZero();
    assertThat(rights(data)).isEqualTo("rwx------");
    assertThat(rights(data.resolve("server.log"))).isEqualTo("rw-------");
    assertThat(rights(data.resolve("lock"))).isEqualTo("rw-------");
    assertThat(rights(data.resolve("password"))).isEqualTo("rw-------");
  }

  /** Starts a server in a folder and stops it: the main class of another process. */
  static final class StartAndStop {

    private StartAndStop() {}

    public static void main(String[] arguments) {
      EmbeddedServer.in(Path.of(arguments[0]), Map.of()).close();
    }
  }

  /** A folder such as /tmp is everyone's, and stays so. */
  @Test
  void rightsOfASharedFolderAreLeftAlone() throws Exception {
    Files.setAttribute(folder, "unix:mode", 01777);

    start().close();

    assertThat(rights(folder)).isEqualTo("rwxrwxrwx");
    assertThat(rights(folder.resolve("server.log"))).isEqualTo("rw-------");
  }

  private static String rights(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void endsOpenSessions() throws SQLException {
    var server = start();
    try (var _ =
        DriverManager.getConnection(
            server.jdbcUrl("postgres"), EmbeddedServer.SUPERUSER, server.password())) {

      server.close();

      assertThat(folder.resolve("cluster/postmaster.pid")).doesNotExist();
    }
  }

  @Test
  void refusesAFolderInUse() {
    try (var _ = start()) {
      assertThatThrownBy(this::start)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("another process runs a server in " + folder);
    }
  }

  @Test
  void refusesDataOfAnotherMajorVersion() throws IOException {
    start().close();
    Files.writeString(folder.resolve("cluster/PG_VERSION"), "9\n");

    assertThatThrownBy(this::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("are of PostgreSQL 9, and this program brings PostgreSQL 1");
  }

  @Test
  void refusesDataWhosePasswordIsLost() throws IOException {
    start().close();
    Files.delete(folder.resolve("password"));

    assertThatThrownBy(this::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the superuser's password is missing");
  }

  @Test
  void replacesAHalfMadeFolder() throws IOException {
    var half = Files.createDirectories(folder.resolve("cluster.half"));
    Files.writeString(half.resolve("postgresql.conf"), "");
    Files.writeString(folder.resolve("password.half"), "ab");

    try (var server = start()) {
      assertThat(server.password()).hasSize(32);
    }
    assertThat(half).doesNotExist();
  }

  @Test
  void isNotMistakenForAProcessWithTheSameId() throws IOException, SQLException {
    start().close();
    try (var stranger = EmbeddedServer.temporary(Map.of())) {
      var pid = Files.readAllLines(pidFileOf(stranger)).getFirst();
      Files.writeString(folder.resolve("cluster/postmaster.pid"), pid + "\n");

      assertThat(Postmaster.in(folder.resolve("cluster"))).isEmpty();
    }
  }

  @Test
  void reportsThatItWasKilled() throws Exception {
    try (var server = start()) {
      kill();

      assertThat(server.ended()).succeedsWithin(Duration.ofSeconds(10));
    }
  }

  @Test
  void startsAgainAfterAKill() throws Exception {
    try (var server = start()) {
      kill();
      server.ended().join();
    }

    try (var server = start()) {
      assertThat(new Sql(server).answer("SELECT 7")).isEqualTo("7");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "rubbish\n", "99999999999999999999\n"})
  void refusesDataWithAnUnreadableProcessId(String content) throws IOException {
    var data = folder.resolve("cluster");
    start().close();
    Files.writeString(data.resolve("postmaster.pid"), content);

    assertThatThrownBy(this::start)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "%s must start with a process id, not '%s': delete it if no server runs on these data",
            data.resolve("postmaster.pid"), content.strip());
  }

  @Test
  void isFoundByOtherProcessesWhileItRuns() {
    try (var server = start()) {
      assertThat(EmbeddedServer.runningIn(folder))
          .hasValue(new OtherServer(server.port(), server.password()));
    }

    assertThat(EmbeddedServer.runningIn(folder)).isEmpty();
  }

  @Test
  void searchForItDoesNotChangeTheFolder() {
    assertThat(EmbeddedServer.runningIn(folder)).isEmpty();

    assertThat(folder).isEmptyDirectory();
  }

  private void kill() throws IOException {
    var pid = PidFile.in(folder.resolve("cluster")).orElseThrow().pid();
    ProcessHandle.of(pid).orElseThrow().destroyForcibly();
  }

  private static Path pidFileOf(EmbeddedServer server) throws SQLException {
    return Path.of(new Sql(server).answer("SHOW data_directory"), "postmaster.pid");
  }

  private EmbeddedServer start() {
    return EmbeddedServer.in(folder, Map.of());
  }
}
