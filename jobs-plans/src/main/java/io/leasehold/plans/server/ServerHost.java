package io.leasehold.plans.server;

import java.io.IOException;
import java.time.Duration;

/** Where PostgreSQL's programs run. Safe to share between threads. */
public interface ServerHost {

  /** Makes the data of an empty server. */
  void initialise(ServerFolder folder) throws IOException, InterruptedException;

  /**
   * Starts the server; it accepts connections on return.
   *
   * @param most how long that may take
   */
  void start(ServerFolder folder, Duration most) throws IOException, InterruptedException;

  /**
   * Stops the server: sessions are ended, and what they committed is in its data.
   *
   * @param most how long that may take
   * @throws IOException if it goes on
   */
  void stop(ServerFolder folder, Duration most) throws IOException, InterruptedException;

  /** Ends whatever runs on the folder, at once; does nothing if nothing does. */
  void kill(ServerFolder folder) throws IOException, InterruptedException;
}
