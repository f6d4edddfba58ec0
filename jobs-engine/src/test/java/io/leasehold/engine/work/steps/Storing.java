package io.leasehold.engine.work.steps;

import io.leasehold.db.ScopedTransaction;
import org.jooq.JSON;

/** Lets tests of other packages keep what a job did. */
public final class Storing {

  private Storing() {}

  /** Keeps a step, and a checkpoint. */
  public static void both(ScopedTransaction tx, Holder holder) {
    KeepStep.keep(tx, holder, "a step", JSON.json("1"));
    KeepCheckpoint.keep(tx, holder, JSON.json("1"));
  }
}
