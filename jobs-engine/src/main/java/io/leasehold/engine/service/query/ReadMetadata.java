package io.leasehold.engine.service.query;

import static io.leasehold.db.schema.Tables.FIND_METADATA;

import io.leasehold.db.ScopedTransaction;
import io.leasehold.jobs.JobId;
import java.util.Optional;
import org.jooq.JSON;

/** Reads the metadata of a job. */
public final class ReadMetadata {

  private ReadMetadata() {}

  /**
   * Returns the metadata of the job, or empty if the job has none or the caller may not read it.
   */
  public static Optional<JSON> read(ScopedTransaction tx, JobId id) {
    var found = FIND_METADATA.call(id);
    return tx.dsl().select(found.METADATA).from(found).fetchOptional(found.METADATA);
  }
}
