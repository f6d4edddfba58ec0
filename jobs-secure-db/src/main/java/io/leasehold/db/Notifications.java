package io.leasehold.db;

import java.time.Duration;
import java.util.Optional;

/**
 * Hears what other processes say on channels of the database: hints, and never more. What is said
 * while nobody hears it is lost, so whoever hears looks for itself now and then, too.
 *
 * <p>One connection of its own, outside of the pools, serves all channels; it is made anew whenever
 * it is lost or silent. Where {@link DbConfig#notifications} is off nothing is ever heard. Safe to
 * share between threads.
 */
public interface Notifications {

  /** Whether anything may be heard. */
  boolean areOn();

  /**
   * Has a channel heard from the next {@link #start} on.
   *
   * @param channel "leasehold", or "leasehold_" and up to 40 of a-z, 0-9 and _
   * @throws IllegalArgumentException if the channel has another name
   * @throws IllegalStateException if it is started already, or the channel has a hearer
   */
  void hear(String channel, Hearer hearer);

  /** Begins to connect, and to hear, on a thread of its own. Repeated, it does nothing. */
  void start();

  /** Hears no more, and closes the connection. Repeated, it does nothing; {@link #start} begins. */
  void close();

  /**
   * How long ago the server gave its last sign of life: seconds while all is well. Empty if it gave
   * none since the start.
   */
  Optional<Duration> silentFor();

  /** Is told of what is said on a channel, on the thread that hears: it must not take long. */
  interface Hearer {

    /** Somebody, who may be this process, said this. */
    void heard(String said);

    /** The connection was just made: what was said before it was is not heard any more. */
    void connected();
  }
}
