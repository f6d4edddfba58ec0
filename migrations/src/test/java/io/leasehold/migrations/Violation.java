package io.leasehold.migrations;

/**
 * What somebody does to the database that the module {@code acme} was migrated in.
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
