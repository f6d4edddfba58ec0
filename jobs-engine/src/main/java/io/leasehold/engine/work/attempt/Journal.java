package io.leasehold.engine.work.attempt;

import io.leasehold.jobs.outputs.JobOutput;
import io.leasehold.jobs.outputs.OutputDraft;
import io.leasehold.jobs.outputs.OutputWriter;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jooq.JSON;
import org.jspecify.annotations.Nullable;

/**
 * Everything that an attempt writes about its job while it runs, and reads from earlier attempts.
 * Stored in the database under the fence of the lease, or in this process. Belongs to one attempt;
 * thread-safe among that attempt's threads.
 */
public interface Journal {

  /** As {@link io.leasehold.jobs.JobContext#progress}. */
  void progress(short percent, String note);

  /** As {@link io.leasehold.jobs.JobContext#event}. */
  void event(String kind, JSON body);

  /** As {@link io.leasehold.jobs.JobContext#step}. */
  <T extends @Nullable Object> T step(String name, Class<T> type, Callable<? extends T> body)
      throws Exception;

  /** As {@link io.leasehold.jobs.JobContext#checkpoint}. */
  void checkpoint(Object value);

  /** As {@link io.leasehold.jobs.JobContext#lastCheckpoint}. */
  <T> Optional<T> lastCheckpoint(Class<T> type);

  /** As {@link io.leasehold.jobs.JobContext#output}. */
  JobOutput output(String name, String mediaType, OutputWriter writer) throws IOException;

  /** As {@link io.leasehold.jobs.JobContext#draft}. */
  OutputDraft draft(OutputDraft.Kept kept) throws IOException;

  /** Writes what is still buffered, after the handler has ended. */
  void close();
}
