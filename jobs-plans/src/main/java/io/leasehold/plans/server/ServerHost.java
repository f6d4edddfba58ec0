package io.leasehold.plans.server;

import java.io.IOException;
import java.time.Duration;

/** Runs PostgreSQL's programs. Safe to share between threads. */
public interface ServerHost {

  /** Creates the data of an empty server. */
  void initialise(ServerFolder folder) throws IOException, InterruptedException;

  /**
   * Starts the server; it accepts connections on return.
   *
   * @param most how long starting may take
   */
  void start(ServerFolder folder, Duration most) throws IOException, InterruptedException;

  /**
   * Stops the server: sessions are ended, and everything they committed is in its data.
   *
   * @param most how long stopping may take
   * @throws IOException if the server keeps running
   */
  void stop(ServerFolder folder, Duration most) throws IOException, InterruptedException;

  /** Kills every process that uses the folder, at once; does nothing if there is none. */
  void kill(ServerFolder folder) throws IOException, InterruptedException;
}
