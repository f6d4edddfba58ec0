package io.leasehold.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * One of the ways being compared.
 *
 * @param name the name in the report
 * @param once does the operation once
 * @param rates the operations per second in each turn
 */
public record Way(String name, Runnable once, List<Double> rates) {

  public static Way of(String name, Runnable once) {
    return new Way(name, once, new ArrayList<>());
  }

  /** Returns the median of the rates, which a single disturbed turn does not change. */
  public double median() {
    return Middle.of(rates);
  }

  /** Returns the median of the ratios to another way, turn by turn. */
  public double ratioTo(Way other) {
    return Middle.ofRatios(rates, other.rates);
  }

  /** Returns the rate of the slowest turn. */
  public double least() {
    return rates.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }

  /** Returns the rate of the fastest turn. */
  public double most() {
    return rates.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
