package io.leasehold.engine.metrics;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import java.util.Set;

/** Lets tests of other packages make meters that record nothing. */
public final class Measuring {

  private Measuring() {}

  public static JobMeters unrecorded() {
    return new JobMeters(new CompositeMeterRegistry(), Set.of(), Set.of());
  }

  public static ClaimMeters claims() {
    return unrecorded().claims("default");
  }

  public static SignsOfLife signsOfLife() {
    return new SignsOfLife();
  }
}
