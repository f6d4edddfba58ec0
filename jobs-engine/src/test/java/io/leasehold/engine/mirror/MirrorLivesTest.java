package io.leasehold.engine.mirror;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.upkeep.TestQueue;
import java.sql.SQLException;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Random lives of jobs: their records never differ from them. Each has a seed of its own, which a
 * failure names. 100 of them, and 2,000 with {@code ./check full}.
 */
class MirrorLivesTest {

  @RegisterExtension static final TestQueue queue = new TestQueue(ToolRuns.SCRIPT);

  private static final Logger log = LoggerFactory.getLogger(MirrorLivesTest.class);

  private static final boolean FULL = "full".equals(System.getProperty("leasehold.proof"));
  private static final int LIVES = FULL ? 2_000 : 100;
  private static final long FIRST_SEED = 42;

  /** Ends the session in the middle of a statement, as a server that goes down does. */
  @BeforeAll
  static void createCut() throws SQLException {
    queue.run(
        """
        CREATE FUNCTION public.cut() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
        AS $$
        BEGIN
          PERFORM pg_terminate_backend(pg_backend_pid());
          PERFORM pg_sleep(1);
          RETURN NULL;
        END $$\
        """);
  }

  @Test
  void recordsAreAsTheirJobsAfterEachStep() throws SQLException {
    var compared = 0;
    for (var seed : LongStream.range(FIRST_SEED, FIRST_SEED + LIVES).toArray()) {
      queue.clear();
      compared += new MirrorLife(seed, queue).live();
    }

    log.info("{} lives from seed {}, compared {} times", LIVES, FIRST_SEED, compared);
    assertThat(compared).isGreaterThan(4 * LIVES);
  }
}
