package io.leasehold.jobs;

import java.util.List;
import java.util.Optional;

/**
 * Some schedules of a list, in the order of their names.
 *
 * @param schedules at most as many as asked for
 * @param next the name behind which the list goes on; empty at its end
 */
public record SchedulePage(List<Schedule> schedules, Optional<String> next) {

  public SchedulePage {
    schedules = List.copyOf(schedules);
  }
}
