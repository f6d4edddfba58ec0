package io.leasehold.migrations;

/**
 * A change to the database of the migrated module {@code acme}.
 *
 * @param rule that it breaks
 * @param object that it is found at
 */
record Violation(String rule, String object, String sql) {

  static Violation violation(String rule, String object, String sql) {
    return new Violation(rule, object, sql);
  }

  @Override
  public String toString() {
    return rule + ": " + sql;
  }
}
