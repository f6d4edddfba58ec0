package io.leasehold.engine;

import java.time.Duration;

/** Has nothing to start or stop: jobs run on the threads that submit them. */
final class IdleEngine implements JobEngine {

  @Override
  public void start() {}

  @Override
  public void stop(Duration grace) {}
}
