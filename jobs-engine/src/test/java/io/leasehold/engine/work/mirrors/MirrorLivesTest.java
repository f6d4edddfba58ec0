package io.leasehold.engine.work.mirrors;

import static org.assertj.core.api.Assertions.assertThat;

import io.leasehold.engine.maintenance.TestQueue;
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
  private static final int CLEARED_EVERY = 50;
  private static final String CLEARING =
      "TRUNCATE leasehold.job, leasehold.outcome, leasehold.ready, leasehold.scheduled,"
          + " leasehold.lease, leasehold.attempt, leasehold.job_key, leasehold.event,"
          + " leasehold.waiting, leasehold.dependency, leasehold.cancel_request,"
          + " leasehold.dependency_note, leasehold.mirror_record, leasehold.mirror_behind,"
          + " acme.tool_run";

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
  void recordsMatchTheirJobsAfterEachStep() throws SQLException {
    var compared = 0;
    try (var administrator = new Administrator(queue)) {
      for (var seed : LongStream.range(FIRST_SEED, FIRST_SEED + LIVES).toArray()) {
        if (seed % CLEARED_EVERY == 0) {
          administrator.run(CLEARING);
        }
        compared += new MirrorLife(seed, queue, administrator).live();
      }
    }

    log.info("{} lives from seed {}, compared {} times", LIVES, FIRST_SEED, compared);
    assertThat(compared).isGreaterThan(4 * LIVES);
  }
}
