package io.leasehold.downloads;

import io.leasehold.jobs.OutputDraft;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * How far a download is: what its checkpoint has.
 *
 * @param kept what is there
 * @param validator of the version of the file of which that is, if the server tells one from others
 * @param total how many bytes that version has, once it is known
 */
record Position(OutputDraft.Kept kept, Optional<String> validator, OptionalLong total) {

  static final Position BEGIN =
      new Position(OutputDraft.Kept.NOTHING, Optional.empty(), OptionalLong.empty());

  Position kept(OutputDraft.Kept its) {
    return new Position(its, validator, total);
  }

  Position total(long its) {
    return new Position(kept, validator, OptionalLong.of(its));
  }
}
