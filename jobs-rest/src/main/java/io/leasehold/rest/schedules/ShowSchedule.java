package io.leasehold.rest.schedules;

import com.fasterxml.jackson.annotation.JsonUnwrapped;
import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.problem.Problem;
import io.leasehold.rest.problem.RequestRefusal;
import jakarta.inject.Inject;
import java.io.IOException;
import java.time.Instant;
import java.util.List;

/** Shows the current state of a schedule, with its next slots. */
public final class ShowSchedule implements Resource {

  private static final int OK = 200;
  private static final int SLOTS = 10;

  private final Schedules schedules;

  @Inject
  ShowSchedule(Schedules schedules) {
    this.schedules = schedules;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    var name = exchange.schedule();
    var schedule =
        schedules
            .find(exchange.caller(), name)
            .orElseThrow(() -> RequestRefusal.of(Problem.NOT_FOUND));
    exchange.json(
        OK, new Whole(ScheduleView.of(schedule), schedules.next(exchange.caller(), name, SLOTS)));
  }

  /**
   * The complete response.
   *
   * @param schedule the schedule, as in the list
   * @param nextSlots at most ten slots
   */
  private record Whole(@JsonUnwrapped ScheduleView schedule, List<Instant> nextSlots) {}
}
