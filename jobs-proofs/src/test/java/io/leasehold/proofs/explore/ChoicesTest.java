package io.leasehold.proofs.explore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** All ways are tried, also if one of them cannot be repeated as it was. */
class ChoicesTest {

  private final Choices choices = Choices.all();

  private List<Integer> way(int... places) {
    var way = new ArrayList<Integer>();
    for (var of : places) {
      way.add(choices.choose(of));
    }
    return way;
  }

  @Test
  void eachWayIsTriedOnce() {
    var ways = new ArrayList<List<Integer>>();
    do {
      ways.add(way(2, 1, 3));
    } while (choices.next());

    assertThat(ways).hasSize(6).doesNotHaveDuplicates();
  }

  @Test
  void aWayWithOtherChoicesIsRefused() {
    way(2, 2);
    choices.again();

    assertThatThrownBy(() -> way(2, 1)).isInstanceOf(Choices.Diverged.class);
  }

  @Test
  void anAdaptedWayGoesOnFromTheChoicesThatThereAre() {
    way(2, 2, 3);
    choices.next();
    assertThat(way(2, 2, 3)).isEqualTo(List.of(0, 0, 1));

    choices.adapt();
    assertThat(way(2, 1, 2)).isEqualTo(List.of(0, 0, 0));

    assertThat(choices.next()).isTrue();
    assertThat(way(2, 1, 2)).isEqualTo(List.of(0, 0, 1));
    assertThat(choices.next()).isTrue();
    assertThat(way(2)).isEqualTo(List.of(1));
    assertThat(choices.next()).isFalse();
  }

  @Test
  void onlyTheAdaptedWayMayDiffer() {
    way(2, 2);
    choices.adapt();
    way(2, 3);
    choices.next();

    assertThatThrownBy(() -> way(3)).isInstanceOf(Choices.Diverged.class);
  }
}
