package io.leasehold.engine.signal;

import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Is told, after the commit, of jobs whose status or history shows something new. Only a hint to
 * those who watch them; where nobody watches any job it costs nothing.
 */
public interface JobChanges {

  /**
   * Something happened to jobs.
   *
   * @param id of which; asked for only where somebody watches
   */
  <T> void changed(Collection<T> those, Function<? super T, JobId> id);

  /** Something happened to jobs. */
  default void changed(Collection<JobId> ids) {
    changed(ids, Function.identity());
  }

  /** Something happened to a job. */
  default void changed(JobId id) {
    changed(List.of(id));
  }
}
