package io.leasehold.engine.signal;

import io.leasehold.jobs.JobId;
import java.util.Collection;
import java.util.List;
import java.util.function.Function;

/**
 * Receives, after the commit, the jobs whose status or history has changed. Only a hint to the
 * watchers of those jobs; it costs nothing while no job is watched.
 */
public interface JobChanges {

  /**
   * Reports that jobs have changed.
   *
   * @param id returns a job's id; called only while jobs are watched
   */
  <T> void changed(Collection<T> those, Function<? super T, JobId> id);

  /** Reports that jobs have changed. */
  default void changed(Collection<JobId> ids) {
    changed(ids, Function.identity());
  }

  /** Reports that a job has changed. */
  default void changed(JobId id) {
    changed(List.of(id));
  }
}
