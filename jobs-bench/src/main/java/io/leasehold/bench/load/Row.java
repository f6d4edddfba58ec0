package io.leasehold.bench.load;

import io.leasehold.bench.Report;
import io.leasehold.bench.limit.BenchServer;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeoutException;

/** One question, measured with all contenders to which it applies. */
interface Row {

  /** Measures, and adds the answer to the report. */
  void measure(BenchServer server, Sizes sizes, Report report)
      throws TimeoutException, ExecutionException, InterruptedException;
}
