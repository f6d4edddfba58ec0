package io.leasehold.engine.signal.watch;

import io.leasehold.jobs.JobId;

/**
 * Identifies a job in messages that every session of the database can receive. It is half as long
 * as an id and reveals nothing of it. If two jobs have the same hash, the watchers of each check
 * once too often when the other changes.
 */
final class JobHash {

  private JobHash() {}

  static long of(JobId id) {
    var uuid = id.value();
    return mixed(uuid.getMostSignificantBits() + mixed(uuid.getLeastSignificantBits()));
  }

  // The final step of SplitMix64: each bit of the input flips each bit of the result with equal
  // probability.
  private static long mixed(long number) {
    var z = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
