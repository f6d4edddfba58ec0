package io.leasehold.bench;

import java.util.ArrayList;
import java.util.List;

/**
 * One way of doing what is compared.
 *
 * @param name as the report calls it
 * @param once does it once
 * @param rates how often a second it was done, in each turn
 */
public record Way(String name, Runnable once, List<Double> rates) {

  public static Way of(String name, Runnable once) {
    return new Way(name, once, new ArrayList<>());
  }

  /** The middle of the rates: what a single disturbed turn does not move. */
  public double median() {
    return Middle.of(rates);
  }

  /** The middle of the ratios to another way, turn by turn. */
  public double ratioTo(Way other) {
    return Middle.ofRatios(rates, other.rates);
  }

  /** The worst turn. */
  public double least() {
    return rates.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }

  /** The best turn. */
  public double most() {
    return rates.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }
}
