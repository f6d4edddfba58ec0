package io.leasehold.proofs.explore;

/**
 * A transaction of the queue.
 *
 * @param name what it is called
 * @param role whose connection it uses
 * @param commits whether it commits, or rolls back
 * @param repeatable whether it keeps its first snapshot
 * @param givesUp whether it waits for locks a moment, and gives up then
 * @param body what it does, and answers
 */
record Operation(
    String name, Role role, boolean commits, boolean repeatable, boolean givesUp, Body body) {

  /** The end of A's attempt is written, or A's lease was there for it. */
  static final String WRITTEN = "written";

  /** The lease is lost. */
  static final String REFUSED = "refused";

  /** Whose connection. */
  enum Role {
    ENGINE("leasehold_engine"),
    TENANT("leasehold_tenant");

    private final String word;

    Role(String word) {
      this.word = word;
    }

    String word() {
      return word;
    }
  }

  /** What it does. */
  @FunctionalInterface
  interface Body {
    String run(SteppedTransactions transactions, Target target) throws Exception;
  }

  static Operation engine(String name, Body body) {
    return new Operation(name, Role.ENGINE, true, false, false, body);
  }

  static Operation tenant(String name, Body body) {
    return new Operation(name, Role.TENANT, true, false, false, body);
  }

  Operation rolledBack() {
    return new Operation(name + ", rolled back", role, false, repeatable, givesUp, body);
  }

  Operation repeatableRead() {
    return new Operation(name, role, commits, true, givesUp, body);
  }

  Operation thatGivesUp() {
    return new Operation(name, role, commits, repeatable, true, body);
  }
}
