package io.leasehold.arch.planted;

/** Source that the rules about text must catch. */
@SuppressWarnings({"ThreadSleep", "EmptyCatch"})
public final class Untidy {

  private Untidy() {}

  // TODO make this shorter
  static int tall(int value) {
    var larger = value + 1;
    larger = larger * 2;
    larger = larger + 3;
    return larger;
  }

  static int wide(int a, int b, int c, int d) {
    return a + b + c + d;
  }

  static void waits() throws InterruptedException {
    Thread.sleep(1);
  }

  static void swallows(Runnable work) {
    try {
      work.run();
    } catch (IllegalStateException e) {
      // Never happens.
    }
  }
}
