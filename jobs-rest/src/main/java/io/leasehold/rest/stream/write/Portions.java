package io.leasehold.rest.stream.write;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.jobs.history.EventCursor;
import io.leasehold.jobs.history.EventPage;
import io.leasehold.jobs.history.JobEvent;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Reads a job's history a portion at a time. A portion is limited by bytes and not only by events,
 * because a hundred events may have a few bytes or six megabytes; what does not fit is in the next
 * portion. Confined to one thread.
 */
public final class Portions {

  /** The maximum bytes of a portion's bodies. A single event is smaller. */
  public static final int BYTES_MOST = 128 << 10;

  private static final int EVENTS_MOST = 100;
  private static final int EVENTS_FIRST = 32;

  private final Source source;

  /**
   * How many events to request: more while they are small, and as many as fit if they are large.
   */
  private int ask = EVENTS_FIRST;

  /** Creates a reader of one job's history. */
  public Portions(Source source) {
    this.source = source;
  }

  /** What comes behind a place; nothing if the caller may read no such job. */
  public Optional<Portion> behind(EventCursor place) {
    return behind(place, EVENTS_MOST);
  }

  /**
   * Returns the events after a position; empty if the caller may not read such a job.
   *
   * @param most the maximum number of events
   */
  public Optional<Portion> behind(EventCursor place, int most) {
    var asked = Math.min(ask, most);
    return source.read(place, asked).map(page -> portion(page, asked));
  }

  private Portion portion(EventPage page, int asked) {
    var fitting = new ArrayList<JobEvent>();
    var bytes = 0;
    for (var event : page.events()) {
      var size = event.body().getBytes(UTF_8).length;
      if (!fitting.isEmpty() && bytes + size > BYTES_MOST) {
        ask = fitting.size();
        return new Portion(fitting, fitting.getLast().cursor(), true, false, bytes);
      }
      fitting.add(event);
      bytes += size;
    }
    ask = Math.min(EVENTS_MOST, 2 * asked);
    return new Portion(fitting, page.next(), fitting.size() == asked, page.isOver(), bytes);
  }

  /** The source of the history's pages. */
  @FunctionalInterface
  public interface Source {

    /** Reads a page; empty if the caller may not read such a job. */
    Optional<EventPage> read(EventCursor after, int limit);
  }
}
