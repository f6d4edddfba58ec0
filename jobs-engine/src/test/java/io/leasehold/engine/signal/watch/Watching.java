package io.leasehold.engine.signal.watch;

import io.leasehold.engine.signal.JobChanges;
import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.function.Function;

/** Lets tests of other packages make job changes without watchers. */
public final class Watching {

  private Watching() {}

  public static JobChanges none() {
    return new JobChanges() {
      @Override
      public <T> void changed(Collection<T> those, Function<? super T, JobId> id) {}
    };
  }
}
