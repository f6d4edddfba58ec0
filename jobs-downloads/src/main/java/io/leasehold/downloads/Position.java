package io.leasehold.downloads;

import io.leasehold.jobs.outputs.OutputDraft;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * The progress of a download, as stored in its checkpoint.
 *
 * @param kept the bytes stored so far
 * @param validator the validator of the file's version that the bytes belong to, if the server
 *     provides one
 * @param total the size of that version in bytes, once it is known
 */
record Position(OutputDraft.Kept kept, Optional<String> validator, OptionalLong total) {

  static final Position BEGIN =
      new Position(OutputDraft.Kept.NOTHING, Optional.empty(), OptionalLong.empty());

  Position kept(OutputDraft.Kept kept) {
    return new Position(kept, validator, total);
  }

  Position total(long total) {
    return new Position(kept, validator, OptionalLong.of(total));
  }
}
