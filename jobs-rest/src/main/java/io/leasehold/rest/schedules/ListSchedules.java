package io.leasehold.rest.schedules;

import io.leasehold.jobs.schedules.Schedules;
import io.leasehold.rest.http.Exchange;
import io.leasehold.rest.http.Resource;
import io.leasehold.rest.limit.StrictName;
import jakarta.inject.Inject;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** Lists a tenant's schedules, ordered by name. */
public final class ListSchedules implements Resource {

  private static final int OK = 200;
  private static final int LIMIT = 50;
  private static final int LIMIT_MOST = 200;
  private static final String RULE = "cursor must be the next of a page";

  private final Schedules schedules;

  @Inject
  ListSchedules(Schedules schedules) {
    this.schedules = schedules;
  }

  @Override
  public void answer(Exchange exchange) throws IOException {
    var query = exchange.query();
    var after = query.read("cursor", ListSchedules::name, RULE);
    var limit = query.number("limit", 1, LIMIT_MOST).orElse(LIMIT);
    var page = schedules.list(exchange.caller(), after, limit);
    exchange.json(
        OK, new Page(page.schedules().stream().map(ScheduleView::of).toList(), page.next()));
  }

  private static String name(String text) {
    if (!StrictName.is(text)) {
      throw new IllegalArgumentException(RULE);
    }
    return text;
  }

  /**
   * A page of the list.
   *
   * @param schedules the schedules, ordered by name
   * @param next the cursor of the next page, if there is one
   */
  private record Page(List<ScheduleView> schedules, Optional<String> next) {}
}
