package io.leasehold.plans;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.leasehold.jobs.JobRequest;
import io.leasehold.jobs.JobType;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What types allow, and requests choose. */
class SnapshotModesTest {

  private static final JobType<String, String> PLAIN =
      JobType.restartable(
          "gts.x.core.jobs.handler.v1~acme.tests.plans.modes.v1", String.class, String.class);

  private static JobRequest<String, String> choosing(
      JobType<String, String> type, SnapshotMode mode) {
    return SnapshotModes.choose(type.request(""), mode);
  }

  @Test
  void typeThatDeclaresNothingAllowsAllModesAndDefaultsToAlways() {
    assertThat(SnapshotModes.of(PLAIN.request(""))).isEqualTo(SnapshotMode.ALWAYS);
    assertThat(SnapshotMode.values())
        .allSatisfy(mode -> assertThat(SnapshotModes.of(choosing(PLAIN, mode))).isEqualTo(mode));
  }

  @Test
  void requestWithoutAModeHasTheDefaultOfItsType() {
    var type = PLAIN.checkRequest(SnapshotModes.of(SnapshotMode.FINAL, SnapshotMode.NONE));

    assertThat(SnapshotModes.of(type.request(""))).isEqualTo(SnapshotMode.FINAL);
    assertThat(SnapshotModes.of(choosing(type, SnapshotMode.NONE))).isEqualTo(SnapshotMode.NONE);
  }

  @Test
  void laterChoiceReplacesAnEarlierOne() {
    var request = choosing(PLAIN, SnapshotMode.NONE);

    assertThat(SnapshotModes.of(SnapshotModes.choose(request, SnapshotMode.FINAL)))
        .isEqualTo(SnapshotMode.FINAL);
  }

  @Test
  void checkRefusesAModeThatIsNotAllowed() {
    var modes = SnapshotModes.of(SnapshotMode.ALWAYS, SnapshotMode.FINAL);
    var type = PLAIN.checkRequest(modes);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> modes.check(choosing(type, SnapshotMode.NONE)))
        .withMessage("snapshot mode must be one of [always, final], not none");
    assertThatCode(() -> modes.check(choosing(type, SnapshotMode.FINAL)))
        .doesNotThrowAnyException();
    assertThatCode(() -> modes.check(type.request(""))).doesNotThrowAnyException();
  }

  @Test
  void checkRefusesAnUnknownMode() {
    var modes = SnapshotModes.of(SnapshotMode.ALWAYS, SnapshotMode.FINAL, SnapshotMode.NONE);
    var entry = choosing(PLAIN, SnapshotMode.NONE).metadata().keySet().iterator().next();

    assertThatIllegalArgumentException()
        .isThrownBy(() -> modes.check(PLAIN.request("").metadata(entry, "sometimes")))
        .withMessage("snapshot mode must be one of [always, final, none], not sometimes");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> modes.check(PLAIN.request("").metadata(entry, 7)))
        .withMessage("snapshot mode must be one of [always, final, none], not 7");
  }

  @Test
  void checkLeavesOtherMetadataAlone() {
    var modes = SnapshotModes.of(SnapshotMode.ALWAYS);

    assertThatCode(() -> modes.check(PLAIN.request("").metadata("snapshots", "none")))
        .doesNotThrowAnyException();
  }

  @Test
  void defaultHasToBeAllowed() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new SnapshotModes(SnapshotMode.NONE, Set.of(SnapshotMode.FINAL)))
        .withMessage("the default snapshot mode must be one of [final], not none");
  }
}
