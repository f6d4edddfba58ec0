package io.leasehold.engine.signal.watch;

import io.leasehold.jobs.JobId;

/**
 * Stands for a job where every session of the database can hear it: half as long as an id, of which
 * it gives nothing away. Two jobs that have the same one cost each other's watchers a look.
 */
final class JobHash {

  private JobHash() {}

  static long of(JobId id) {
    var uuid = id.value();
    return mixed(uuid.getMostSignificantBits() + mixed(uuid.getLeastSignificantBits()));
  }

  // As SplitMix64 ends: each bit of the number changes each of the answer with equal chance.
  private static long mixed(long number) {
    var z = (number ^ (number >>> 30)) * 0xbf58476d1ce4e5b9L;
    z = (z ^ (z >>> 27)) * 0x94d049bb133111ebL;
    return z ^ (z >>> 31);
  }
}
