package io.leasehold.runs;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/** A runner that does as another one, for tests that change some of it. */
class RunnerLike implements Runner {

  private final Runner other;

  RunnerLike(Runner other) {
    this.other = other;
  }

  @Override
  public void prepare(RunId id, RunSpec spec) throws IOException, InterruptedException {
    other.prepare(id, spec);
  }

  @Override
  public void start(RunId id, RunSpec spec) throws IOException, InterruptedException {
    other.start(id, spec);
  }

  @Override
  public Optional<RunState> find(RunId id) throws IOException, InterruptedException {
    return other.find(id);
  }

  @Override
  public Optional<RunState> await(RunId id, Duration most)
      throws IOException, InterruptedException {
    return other.await(id, most);
  }

  @Override
  public InputStream log(RunId id, long from) throws IOException, InterruptedException {
    return other.log(id, from);
  }

  @Override
  public Path outputs(RunId id) throws IOException, InterruptedException {
    return other.outputs(id);
  }

  @Override
  public void stop(RunId id, Duration grace) throws IOException {
    other.stop(id, grace);
  }

  @Override
  public void remove(RunId id) throws IOException {
    other.remove(id);
  }

  @Override
  public Set<RunId> all() throws IOException, InterruptedException {
    return other.all();
  }
}
