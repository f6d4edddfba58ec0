package io.leasehold.plans;

import io.leasehold.jobs.JobContext;
import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import io.leasehold.jobs.spi.RequestCheck;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/**
 * The snapshot modes that a plan allows. They are declared with the type of its jobs, and a request
 * chooses one:
 *
 * {@snippet :
 * static final JobType<Parts, Integer> TYPE =
 *     JobType.restartable(HANDLER, Parts.class, Integer.class)
 *         .checkRequest(SnapshotModes.of(SnapshotMode.ALWAYS, SnapshotMode.FINAL));
 *
 * jobs.submit(ann, SnapshotModes.choose(TYPE.request(parts), SnapshotMode.FINAL));
 * }
 *
 * <p>A type that declares nothing allows all modes, and its default is {@link SnapshotMode#ALWAYS}.
 * A submission that chooses a mode that is not allowed is rejected. A stored job that names such a
 * mode fails permanently at its next attempt. Immutable.
 *
 * @param byDefault the mode of a job whose request chooses none
 * @param allowed the modes that a request may choose, including {@code byDefault}
 */
public record SnapshotModes(SnapshotMode byDefault, Set<SnapshotMode> allowed)
    implements RequestCheck {

  /** The metadata entry of a job that holds the chosen mode. */
  private static final String ENTRY = "leasehold.plan.snapshots";

  private static final SnapshotModes ALL =
      new SnapshotModes(SnapshotMode.ALWAYS, EnumSet.allOf(SnapshotMode.class));

  /**
   * Checks that the default is allowed.
   *
   * @throws IllegalArgumentException if it is not
   */
  public SnapshotModes {
    allowed = Set.copyOf(allowed);
    if (!allowed.contains(byDefault)) {
      throw new IllegalArgumentException(
          "the default snapshot mode must be one of %s, not %s"
              .formatted(words(allowed), byDefault.word()));
    }
  }

  /** Allows a default mode and further modes. */
  public static SnapshotModes of(SnapshotMode byDefault, SnapshotMode... others) {
    return new SnapshotModes(byDefault, EnumSet.of(byDefault, others));
  }

  /** Sets the mode of the request's job; a later choice replaces an earlier one. */
  public static <I, O> JobRequest<I, O> choose(JobRequest<I, O> request, SnapshotMode mode) {
    return request.metadata(ENTRY, mode.word());
  }

  /**
   * Returns the mode that the request's job will have.
   *
   * @throws IllegalArgumentException if the request chooses a mode that its type does not allow
   */
  public static SnapshotMode of(JobRequest<?, ?> request) {
    return declaredBy(request.type()).mode(word(request));
  }

  /**
   * Returns the mode of a running job, according to its type as registered here.
   *
   * @throws IllegalArgumentException if the job names a mode that the type does not allow
   */
  static SnapshotMode of(JobContext job) {
    return declaredBy(job.type()).mode(word(job));
  }

  private static SnapshotModes declaredBy(JobType<?, ?> type) {
    return type.requestChecks().stream()
        .filter(SnapshotModes.class::isInstance)
        .map(SnapshotModes.class::cast)
        .reduce((_, last) -> last)
        .orElse(ALL);
  }

  // A value that is not a string is not a mode either, and is rejected as not allowed.
  private static Optional<String> word(JobRequest<?, ?> request) {
    return Optional.ofNullable(request.metadataValues().get(ENTRY)).map(String::valueOf);
  }

  private static Optional<String> word(JobContext job) {
    return job.metadata(ENTRY, Object.class).map(String::valueOf);
  }

  private SnapshotMode mode(Optional<String> chosen) {
    return chosen.map(this::allowed).orElse(byDefault);
  }

  private SnapshotMode allowed(String word) {
    return allowed.stream()
        .filter(mode -> mode.word().equals(word))
        .findFirst()
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "snapshot mode must be one of %s, not %s".formatted(words(allowed), word)));
  }

  private static String words(Set<SnapshotMode> modes) {
    return modes.stream().sorted().map(SnapshotMode::word).toList().toString();
  }

  @Override
  public void check(JobRequest<?, ?> request) {
    mode(word(request));
  }
}
