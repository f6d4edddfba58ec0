package io.leasehold.engine.work.handlers;

import io.leasehold.engine.kernel.ClaimedJob;
import io.leasehold.engine.kernel.ErrorText;
import io.leasehold.engine.service.values.Json;
import io.leasehold.engine.service.values.Metadata;
import io.leasehold.jobs.PermanentFailure;
import io.leasehold.jobs.SecurityContext;
import tools.jackson.core.JacksonException;

/**
 * Decodes the values in a job's row. A value that cannot be decoded now cannot be decoded later
 * either, so it fails the job for good.
 */
public final class DecodeJob {

  private DecodeJob() {}

  /** Returns the principal that the handler runs as. */
  public static SecurityContext caller(ClaimedJob job) {
    try {
      return job.caller();
    } catch (IllegalArgumentException e) {
      throw new PermanentFailure("the principal cannot be used: " + e.getMessage(), e);
    }
  }

  /** Returns the metadata of the request. */
  public static Metadata metadata(ClaimedJob job) {
    try {
      return Metadata.of(job.metadata());
    } catch (JacksonException e) {
      throw new PermanentFailure("the metadata cannot be read: " + ErrorText.of(e), e);
    }
  }

  /** Returns the input of the handler. */
  public static <I> I input(ClaimedJob job, Class<I> type) {
    try {
      return Json.read(job.input(), type);
    } catch (JacksonException e) {
      throw new PermanentFailure(
          "the input cannot be read as %s: %s".formatted(type.getName(), ErrorText.of(e)), e);
    }
  }
}
