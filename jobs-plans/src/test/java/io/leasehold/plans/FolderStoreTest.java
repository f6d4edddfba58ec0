package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.leasehold.jobs.JobId;
import io.leasehold.jobs.TenantId;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FolderStoreTest {

  private static final SnapshotKey KEY =
      new SnapshotKey(new TenantId(new UUID(1, 1)), new JobId(new UUID(2, 2)), "load-1f.1");

  private static final int MANY = 5_000;

  @TempDir Path folder;

  private FolderStore store;
  private Path state;

  @BeforeEach
  void make() throws IOException {
    store = new FolderStore(folder.resolve("store"));
    state = Files.createDirectories(folder.resolve("state"));
    Files.writeString(Files.createDirectories(state.resolve("deep/er")).resolve("file"), "1");
  }

  private String restored(String name) throws IOException, InterruptedException {
    store.restore(KEY, folder.resolve(name));
    return Files.readString(folder.resolve(name).resolve("deep/er/file"));
  }

  private boolean isKept(SnapshotKey key) throws IOException {
    return store.kept(key.tenant(), key.job()).contains(key);
  }

  @Test
  void restoresWhatWasSaved() throws Exception {
    store.save(KEY, state);
    Files.writeString(state.resolve("deep/er/file"), "2");

    assertThat(isKept(KEY)).isTrue();
    assertThat(restored("back")).isEqualTo("1");
  }

  @Test
  void replacesAnEarlierSnapshot() throws Exception {
    store.save(KEY, state);
    Files.writeString(state.resolve("deep/er/file"), "2");
    store.save(KEY, state);

    assertThat(restored("back")).isEqualTo("2");
    assertThat(leftovers()).isEmpty();
  }

  private String[] leftovers() throws IOException {
    var jobFolder =
        folder.resolve("store").resolve(KEY.tenant().toString()).resolve(KEY.job().toString());
    try (var names = Files.list(jobFolder)) {
      return names
          .map(name -> name.getFileName().toString())
          .filter(name -> !name.equals(KEY.name()))
          .toArray(String[]::new);
    }
  }

  @Test
  void ignoresAnUnfinishedSnapshot() throws Exception {
    Files.createSymbolicLink(state.resolve("unreadable"), state.resolve("nothing"));
    store.save(KEY, state); // A link to nothing is copied like any other file.
    store.delete(KEY);

    assertThatThrownBy(() -> store.save(KEY, folder.resolve("no such state")))
        .isInstanceOf(IOException.class);

    assertThat(isKept(KEY)).isFalse();
    assertThat(leftovers()).isEmpty();
    assertThatThrownBy(() -> restored("back")).isInstanceOf(NoSuchFileException.class);
  }

  @Test
  void ignoresAnInterruptedSnapshot() throws Exception {
    for (var i = 0; i < MANY; i++) {
      Files.writeString(state.resolve("file" + i), "1");
    }
    var thrown = new CompletableFuture<Exception>();
    var saving = Thread.ofPlatform().start(() -> thrown.complete(failure()));

    await().pollInterval(Duration.ofMillis(1)).until(this::isCopying);
    saving.interrupt();

    assertThat(thrown.join()).isInstanceOf(InterruptedException.class);
    assertThat(isKept(KEY)).isFalse();
    assertThat(leftovers()).isEmpty();
  }

  private Exception failure() {
    try {
      store.save(KEY, state);
      return new IllegalStateException("it was saved");
    } catch (IOException | InterruptedException e) {
      return e;
    }
  }

  private boolean isCopying() throws IOException {
    if (!Files.exists(folder.resolve("store"))) {
      return false;
    }
    try (var files = Files.walk(folder.resolve("store"))) {
      return files.anyMatch(file -> file.getFileName().toString().startsWith("file"));
    }
  }

  @Test
  void removesLeftoversOfKilledProcesses() throws Exception {
    store.save(KEY, state);
    var jobFolder =
        folder.resolve("store").resolve(KEY.tenant().toString()).resolve(KEY.job().toString());
    Files.createDirectories(jobFolder.resolve(".half-killed/whole/deep"));
    Files.createFile(jobFolder.resolve(".half-killed.lock"));

    store.save(KEY, state);

    assertThat(leftovers()).isEmpty();
  }

  @Test
  void deletesOneSnapshotOrAllOfAJob() throws Exception {
    var other = new SnapshotKey(KEY.tenant(), KEY.job(), "other-2a.1");
    store.save(KEY, state);
    store.save(other, state);

    store.delete(KEY);
    assertThat(isKept(KEY)).isFalse();
    assertThat(isKept(other)).isTrue();

    store.deleteAll(KEY.tenant(), KEY.job());
    assertThat(isKept(other)).isFalse();
    store.deleteAll(KEY.tenant(), KEY.job());
    store.delete(KEY);
  }

  /** As when a worker that has lost its job goes on for a while. */
  @Test
  void concurrentSavesKeepAWholeSnapshot() throws Exception {
    try (var threads = Executors.newFixedThreadPool(2)) {
      var saving =
          IntStream.range(0, 20).mapToObj(_ -> (Callable<SnapshotKey>) this::save).toList();

      for (var saved : threads.invokeAll(saving)) {
        assertThat(saved.get()).isEqualTo(KEY);
      }
    }
    // Only now: while one save moves the snapshot of another aside, there is none for a moment.
    assertThat(isKept(KEY)).isTrue();
    assertThat(restored("back")).isEqualTo("1");
    assertThat(leftovers()).isEmpty();
  }

  private SnapshotKey save() throws IOException, InterruptedException {
    store.save(KEY, state);
    return KEY;
  }

  @Test
  void deletesASnapshotWholeOrNotAtAll() throws Exception {
    for (var i = 0; i < MANY; i++) {
      Files.writeString(state.resolve("file" + i), "1");
    }
    store.save(KEY, state);
    var deleting = Thread.ofPlatform().start(this::deleteAll);

    while (deleting.isAlive()) {
      if (isKept(KEY)) {
        assertThat(count()).isIn(0, MANY + 1);
      }
    }
    assertThat(isKept(KEY)).isFalse();
  }

  private void deleteAll() {
    try {
      store.deleteAll(KEY.tenant(), KEY.job());
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  // Nothing at all if it has gone meanwhile.
  private int count() {
    var snapshotFolder =
        folder.resolve("store/%s/%s/%s".formatted(KEY.tenant(), KEY.job(), KEY.name()));
    var names = snapshotFolder.toFile().list();
    return names == null ? 0 : names.length;
  }

  @Test
  void listsTheJobsThatHaveSnapshots() throws Exception {
    var other = new SnapshotKey(new TenantId(new UUID(1, 2)), KEY.job(), KEY.name());
    store.save(KEY, state);
    store.save(other, state);
    Files.createDirectories(folder.resolve("store/not-a-tenant/not-a-job"));
    var seen = new ArrayList<String>();

    store.visit((tenant, job) -> seen.add(tenant + " " + job));

    assertThat(seen)
        .containsExactlyInAnyOrder(
            KEY.tenant() + " " + KEY.job(), other.tenant() + " " + other.job());
  }

  @Test
  void leavesNoFolderOfADeletedJob() throws Exception {
    store.save(KEY, state);
    var tenantFolder = folder.resolve("store").resolve(KEY.tenant().toString());
    Files.createDirectories(tenantFolder.resolve(KEY.job() + "/.half-killed/whole/deep"));
    Files.createFile(tenantFolder.resolve(KEY.job() + "/.half-killed.lock"));

    store.deleteAll(KEY.tenant(), KEY.job());

    assertThat(tenantFolder).isEmptyDirectory();
  }

  @Test
  void refusesNamesWithPaths() {
    assertThatThrownBy(() -> new SnapshotKey(KEY.tenant(), KEY.job(), "../load.1"))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new SnapshotKey(KEY.tenant(), KEY.job(), ".half-1.1"))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
