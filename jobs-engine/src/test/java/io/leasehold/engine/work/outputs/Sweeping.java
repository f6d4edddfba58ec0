package io.leasehold.engine.work.outputs;

import io.leasehold.db.Transactions;
import java.nio.file.Path;
import java.util.Optional;

/** Lets tests of other packages remove files that nothing stands for. */
public final class Sweeping {

  private Sweeping() {}

  /** Removes them as the upkeep does. */
  public static void sweep(Transactions transactions, Path folder) {
    var terms = new OutputTerms(Optional.of(new OutputFolder(folder)), 1);
    new SweepOutputs(transactions, terms).sweep();
  }
}
