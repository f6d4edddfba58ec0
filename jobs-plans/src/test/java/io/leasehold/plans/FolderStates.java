package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import io.leasehold.plans.process.DeleteFolder;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** States that are folders of files; says what is done with them. */
final class FolderStates implements PlanRuntime<Path> {

  private final Path root;
  private final List<String> said = new ArrayList<>();

  FolderStates(Path root) {
    this.root = root;
  }

  Path root() {
    return root;
  }

  /** What was done, in order. */
  List<String> said() {
    return said;
  }

  @Override
  public PlanState<Path> open(JobContext job, Optional<Snapshot> from)
      throws IOException, InterruptedException {
    Files.createDirectories(root);
    var folder = Files.createTempDirectory(root, "state").resolve("files");
    if (from.isPresent()) {
      from.get().restore(folder);
    } else {
      Files.createDirectories(folder);
    }
    said.add(from.isPresent() ? "restored" : "empty");
    return new FolderState(folder);
  }

  private final class FolderState implements PlanState<Path> {

    private final Path folder;

    private FolderState(Path folder) {
      this.folder = folder;
    }

    @Override
    public Path get() {
      return folder;
    }

    @Override
    public void snapshot(Snapshot to) throws IOException, InterruptedException {
      to.save(folder);
      said.add("snapshot");
    }

    @Override
    public void close() throws IOException {
      DeleteFolder.delete(folder);
      said.add("closed");
    }

    @Override
    public void abort() throws IOException {
      DeleteFolder.delete(folder);
      said.add("aborted");
    }
  }
}
