package io.leasehold.engine.work.steps;

import io.leasehold.engine.service.values.Json;
import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import org.jooq.JSON;
import tools.jackson.core.JacksonException;

/** Reads a stored value, which an older version of the handler may have written. */
final class Stored {

  private Stored() {}

  static <T> T read(String what, JSON json, Class<T> type) {
    try {
      return Json.read(json, type);
    } catch (JacksonException e) {
      throw new JobsException(
          ErrorCode.RESULT_UNREADABLE,
          "the %s cannot be read as %s".formatted(what, type.getName()),
          e);
    }
  }
}
