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
  double median() {
    return median(rates);
  }

  /** The middle of the ratios to another way, turn by turn. */
  double ratioTo(Way other) {
    var ratios = new ArrayList<Double>();
    for (int i = 0; i < rates.size(); i++) {
      ratios.add(rates.get(i) / other.rates.get(i));
    }
    return median(ratios);
  }

  double least() {
    return rates.stream().mapToDouble(Double::doubleValue).min().orElse(0);
  }

  double most() {
    return rates.stream().mapToDouble(Double::doubleValue).max().orElse(0);
  }

  private static double median(List<Double> values) {
    var sorted = values.stream().sorted().toList();
    var middle = sorted.size() / 2;
    return sorted.size() % 2 == 1
        ? sorted.get(middle)
        : (sorted.get(middle - 1) + sorted.get(middle)) / 2;
  }
}
