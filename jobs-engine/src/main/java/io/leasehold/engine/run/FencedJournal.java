package io.leasehold.engine.run;

import io.leasehold.engine.submit.Json;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Writes into the database, under the fence of the attempt's lease. */
final class FencedJournal implements Journal {

  private final HeldJob held;
  private final TellOfJob tell;
  private final AtomicInteger events = new AtomicInteger();

  FencedJournal(HeldJob held, TellOfJob tell) {
    this.held = held;
    this.tell = tell;
  }

  @Override
  public void progress(short percent, String note) {
    fenced(() -> tell.progress(held.job(), percent, note));
  }

  @Override
  public void event(String kind, Object body) {
    var json = Json.write("event", body);
    fenced(() -> tell.event(held.job(), events.getAndIncrement(), kind, json));
  }

  @Override
  public <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception {
    throw new UnsupportedOperationException();
  }

  @Override
  public void checkpoint(Object value) {
    throw new UnsupportedOperationException();
  }

  @Override
  public <T> Optional<T> lastCheckpoint(Class<T> type) {
    throw new UnsupportedOperationException();
  }

  @Override
  public void close() {}

  // What is refused here tells first that the lease is lost: nobody else needs to find out.
  private void fenced(Runnable write) {
    try {
      write.run();
    } catch (JobsException e) {
      if (e.code() == ErrorCode.LEASE_LOST) {
        held.stop(Stop.LOST, System.nanoTime());
      }
      throw e;
    }
  }
}
