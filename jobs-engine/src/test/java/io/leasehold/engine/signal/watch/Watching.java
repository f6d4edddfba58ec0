package io.leasehold.engine.signal.watch;

import io.leasehold.engine.signal.JobChanges;
import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.function.Function;

/** Lets tests of other packages make what tells of changes, with nobody who watches. */
public final class Watching {

  private Watching() {}

  public static JobChanges nobody() {
    return new JobChanges() {
      @Override
      public <T> void changed(Collection<T> those, Function<? super T, JobId> id) {}
    };
  }
}
