package io.leasehold.db.transaction;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.leasehold.jobs.ErrorCode;
import io.leasehold.jobs.JobsException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Looks at what a transaction failed with. */
final class Failures {

  private Failures() {}

  static void assertFails(ErrorCode code, ThrowingCallable work) {
    var thrown = catchThrowableOfType(JobsException.class, work);

    assertThat(thrown).isNotNull();
    assertThat(thrown.code()).as("code of: %s", thrown).isEqualTo(code);
  }
}
