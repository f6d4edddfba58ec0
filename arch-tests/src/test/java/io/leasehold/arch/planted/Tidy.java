package io.leasehold.arch.planted;

/**
 * The clean twin. Records may have many parts, whatever they are.
 *
 * @param a a
 * @param b b
 * @param c c
 * @param d d
 */
public record Tidy(int a, int b, int c, int d) {

  // TODO #12: add the parts
  static int sum(int a, int b, int c) {
    return a + b + c;
  }
}
