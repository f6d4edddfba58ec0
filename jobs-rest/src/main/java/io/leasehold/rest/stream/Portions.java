package io.leasehold.rest.stream;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.leasehold.jobs.EventCursor;
import io.leasehold.jobs.EventPage;
import io.leasehold.jobs.JobEvent;
import java.util.ArrayList;
import java.util.Optional;

/**
 * Reads on in a job's history, a portion at a time. A portion is bounded by bytes and not by events
 * alone, of which a hundred may be some bytes or six megabytes; what did not fit comes with the
 * next. Belongs to one thread.
 */
public final class Portions {

  /** Bytes of a portion's bodies. One event alone has fewer. */
  public static final int BYTES_MOST = 128 << 10;

  private static final int EVENTS_MOST = 100;
  private static final int EVENTS_FIRST = 32;

  private final Source source;

  /** How many events to ask for: more while they are small, and as many as fit if they are not. */
  private int ask = EVENTS_FIRST;

  /** A way through one job's history. */
  public Portions(Source source) {
    this.source = source;
  }

  /** What comes behind a place; nothing if the caller may read no such job. */
  Optional<Portion> behind(EventCursor place) {
    return behind(place, EVENTS_MOST);
  }

  /**
   * What comes behind a place; nothing if the caller may read no such job.
   *
   * @param most at most so many events
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

  /** Where pages of the history come from. */
  @FunctionalInterface
  public interface Source {

    /** Reads a page; nothing if the caller may read no such job. */
    Optional<EventPage> read(EventCursor after, int limit);
  }
}
