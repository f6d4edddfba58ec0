package io.leasehold.engine.work.outputs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class OutputFolderTest {

  private final TenantId tenant = new TenantId(new UUID(1, 1));
  private final JobId job = new JobId(new UUID(2, 2));

  @TempDir private Path folder;

  @Test
  void readsWhatWasWritten() throws IOException {
    write("a-0", "one");
    write("a-1", "two");

    assertThat(read("a-0")).isEqualTo("one");
    assertThat(read("a-1")).isEqualTo("two");
    assertThat(store().length(tenant, job, "a-0")).isEqualTo(3);
  }

  @Test
  void writesEachNameOnce() throws IOException {
    write("a-0", "one");

    assertThatThrownBy(() -> write("a-0", "two")).isInstanceOf(FileAlreadyExistsException.class);
    assertThat(read("a-0")).isEqualTo("one");
  }

  @Test
  void folderIsPrivateToItsOwner() throws IOException {
    write("a-0", "one");

    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(root())))
        .isEqualTo("rwx------");
  }

  @Test
  void removesAJobsFolderWithItsLastFile() throws IOException {
    write("a-0", "one");
    write("a-1", "two");

    store().remove(tenant, job, Set.of("a-0", "absent"));
    assertThat(seen()).containsExactly("%s/%s [a-1]".formatted(tenant, job));

    store().remove(tenant, job, Set.of("a-1"));
    assertThat(seen()).isEmpty();
    assertThatThrownBy(() -> read("a-1")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void ignoresForeignFiles() throws IOException {
    write("a-0", "one");
    Files.createDirectories(root().resolve("lost+found"));
    Files.createDirectories(root().resolve(tenant.toString()).resolve("notes"));
    Files.writeString(root().resolve("README"), "hello");

    assertThat(seen()).containsExactly("%s/%s [a-0]".formatted(tenant, job));
  }

  /** As a volume's {@code lost+found} cannot, by anybody but root. */
  @Test
  void skipsUnreadableFolders() throws IOException {
    write("a-0", "one");
    for (var place : List.of(root(), root().resolve(tenant.toString()))) {
      Files.createSymbolicLink(place.resolve("loop"), place.resolve("loop"));
    }

    assertThat(seen()).containsExactly("%s/%s [a-0]".formatted(tenant, job));
  }

  @Test
  void isEmptyBeforeItsFirstFile() throws IOException {
    assertThat(seen()).isEmpty();
  }

  private Path root() {
    return folder.resolve("not/there/yet");
  }

  private OutputFolder store() {
    return new OutputFolder(root());
  }

  private void write(String name, String text) throws IOException {
    try (var file = store().create(tenant, job, name)) {
      var bytes = text.getBytes(UTF_8);
      file.write(bytes, 0, bytes.length);
      file.sync();
    }
  }

  private String read(String name) throws IOException {
    try (var in = store().open(tenant, job, name)) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  private List<String> seen() throws IOException {
    var seen = new ArrayList<String>();
    store().visit((tenant, job, files) -> seen.add("%s/%s %s".formatted(tenant, job, files)));
    return seen;
  }
}
