package io.leasehold.engine.time.delayed;

import io.leasehold.engine.time.delayed.MoveDueJobs.Moved;
import java.util.List;
import org.jooq.DSLContext;

/** Lets tests of other packages move due jobs. */
public final class Moving {

  private Moving() {}

  /** Moves them as the upkeep does. */
  public static List<String> move(DSLContext tx, int limit) {
    return MoveDueJobs.move(tx, limit).stream().map(Moved::queue).toList();
  }
}
