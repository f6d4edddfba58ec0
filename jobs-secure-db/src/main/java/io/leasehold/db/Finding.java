package io.leasehold.db;

/**
 * A problem that breaks the isolation of tenants or the durability of commits in a database.
 *
 * @param rule the broken rule; the name of a rule never changes
 * @param object the object that breaks it: a table, a role, the server
 * @param problem what is wrong with the object
 * @param remedy what to do about it, if known: often a statement for an administrator
 */
public record Finding(String rule, String object, String problem, String remedy) {

  /** Returns the finding in one line. */
  public String inWords() {
    return "%s: %s %s. To mend it: %s".formatted(rule, object, problem, remedy);
  }
}
