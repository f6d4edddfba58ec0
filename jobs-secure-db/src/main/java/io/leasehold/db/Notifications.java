package io.leasehold.db;

import java.time.Duration;
import java.util.Optional;

/**
 * Receives notifications of other processes on channels of the database. Notifications are only
 * hints: those sent while this process is not connected are lost, so receivers must also poll from
 * time to time.
 *
 * <p>One connection of its own, outside the pools, serves all channels. It is opened again whenever
 * it is lost or silent. If {@link DbConfig#notifications} is off, no notification ever arrives.
 * Safe to share between threads.
 */
public interface Notifications {

  /** Returns whether notifications can arrive. */
  boolean areOn();

  /**
   * Registers a hearer for a channel, from the next {@link #start} on.
   *
   * @param channel "leasehold", or "leasehold_" and up to 40 of a-z, 0-9 and _
   * @throws IllegalArgumentException if the channel has another name
   * @throws IllegalStateException if it is started already, or the channel has a hearer
   */
  void hear(String channel, Hearer hearer);

  /** Starts to connect and listen, on a thread of its own. Repeated calls do nothing. */
  void start();

  /**
   * Stops listening and closes the connection. Repeated calls do nothing; {@link #start} starts
   * again.
   */
  void close();

  /**
   * Returns how long ago the server gave its last sign of life: seconds while all is well. Empty if
   * it gave none since the start.
   */
  Optional<Duration> silentFor();

  /**
   * Receives the notifications of a channel, on the listening thread, and so must return quickly.
   */
  interface Hearer {

    /** Receives a notification, which this process itself may have sent. */
    void heard(String said);

    /** Reports that the connection was just opened. Earlier notifications are lost. */
    void connected();
  }
}
