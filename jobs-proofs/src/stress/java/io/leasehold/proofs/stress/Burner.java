package io.leasehold.proofs.stress;

/** A busy process: keeps a processor from all others until it is ended. */
final class Burner {

  private Burner() {}

  /** Burns. */
  public static void main(String... args) {
    System.out.println("ready");
    while (true) {
      Thread.onSpinWait();
    }
  }
}
