package io.leasehold.engine.signal.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.signal.watch.WatchHint.About;
import io.leasehold.jobs.JobId;
import java.util.List;
import java.util.UUID;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WatchHintTest {

  private static List<Long> hashes(int jobs) {
    return Stream.generate(UUID::randomUUID)
        .limit(jobs)
        .map(id -> JobHash.of(new JobId(id)))
        .toList();
  }

  @Test
  void isParsedAsItWasWritten() {
    for (var about : About.values()) {
      var jobs = hashes(3);

      var words = WatchHint.inWords(about, jobs);

      assertThat(words).hasSize(1);
      assertThat(WatchHint.of(words.getFirst())).contains(new WatchHint(about, jobs));
    }
  }

  @Test
  void saysAlsoWhereThereIsNoJobToNameWhatItIsAbout() {
    var words = WatchHint.inWords(About.ASKED, List.of());

    assertThat(words).hasSize(1);
    assertThat(WatchHint.of(words.getFirst()).orElseThrow().jobs()).isEmpty();
  }

  @Test
  void putsManyJobsIntoFewNotifications() {
    var jobs = hashes(10_000);

    var words = WatchHint.inWords(About.WATCHED, jobs);

    assertThat(words).hasSize(15).allMatch(hint -> hint.length() <= 7_900);
    assertThat(words.stream().flatMap(hint -> WatchHint.of(hint).orElseThrow().jobs().stream()))
        .containsExactlyElementsOf(jobs);
  }

  @Test
  void ignoresInvalidText() {
    assertThat(
            Stream.of("", "w", "w AAAA BBBB", "unknown AAAAAAAAAAA", "w not-base-64!", "w A")
                .flatMap(words -> WatchHint.of(words).stream()))
        .isEmpty();
    assertThat(WatchHint.of("c AAAA").orElseThrow().jobs()).isEmpty(); // Not eight bytes.
  }

  @Test
  void doesNotRevealJobIds() {
    var id = new JobId(UUID.fromString("0198c0de-cafe-7000-8000-00000000abcd"));

    var words = WatchHint.inWords(About.CHANGED, List.of(JobHash.of(id))).getFirst();

    assertThat(words.toLowerCase(java.util.Locale.ROOT))
        .doesNotContain("cafe", "abcd", id.toString());
  }

  @Test
  void hashesOfSimilarIdsDiffer() {
    var hashes =
        LongStream.range(0, 100_000)
            .mapToObj(n -> JobHash.of(new JobId(new UUID(n / 1_000, n % 1_000))))
            .distinct();

    assertThat(hashes).hasSize(100_000);
  }
}
