package io.leasehold.db;

/**
 * Something about a database that breaks the isolation of tenants, or the durability of commits.
 *
 * @param rule the rule that is broken; one name for one rule, for good
 * @param object what breaks it: a table, a role, the server
 * @param problem what is wrong with it
 * @param remedy what to do about it, where it can be said: often a statement for an administrator
 */
public record Finding(String rule, String object, String problem, String remedy) {

  /** The finding in one line. */
  public String inWords() {
    return "%s: %s %s. To mend it: %s".formatted(rule, object, problem, remedy);
  }
}
