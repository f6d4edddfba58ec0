package io.leasehold.bench.load;

import io.leasehold.bench.Middle;
import io.leasehold.bench.Report;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The rates of the contenders in each round, side by side. */
final class Rates {

  private final Map<String, List<Double>> rates = new LinkedHashMap<>();

  /** Records a rate; ignores rounds below 0, which warm the machine up. */
  void add(int round, String name, double rate) {
    if (round >= 0) {
      rates.computeIfAbsent(name, _ -> new ArrayList<>()).add(rate);
    }
  }

  /**
   * Adds the rates to the report, with the first contender as the one the others are compared with,
   * round by round.
   */
  void tell(Report report, String what) {
    report.table("", what + ", median", "least", "most", "to the first, median");
    rates.forEach(
        (name, rounds) ->
            report.row(
                name,
                Report.number(Middle.of(rounds), 0),
                Report.number(rounds.stream().mapToDouble(Double::doubleValue).min().orElse(0), 0),
                Report.number(rounds.stream().mapToDouble(Double::doubleValue).max().orElse(0), 0),
                Report.number(Middle.ofRatios(rounds, first()), 2)));
  }

  private List<Double> first() {
    return rates.values().iterator().next();
  }
}
