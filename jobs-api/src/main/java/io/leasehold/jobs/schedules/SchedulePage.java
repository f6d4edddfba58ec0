package io.leasehold.jobs.schedules;

import java.util.List;
import java.util.Optional;

/**
 * A page of schedules, ordered by name.
 *
 * @param schedules up to the requested number of schedules
 * @param next the name after which the next page continues; empty on the last page
 */
public record SchedulePage(List<Schedule> schedules, Optional<String> next) {

  public SchedulePage {
    schedules = List.copyOf(schedules);
  }
}
