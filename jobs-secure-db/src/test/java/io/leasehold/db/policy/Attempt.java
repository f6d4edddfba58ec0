package io.leasehold.db.policy;

/**
 * One statement that must show or touch no row of another tenant.
 *
 * @param kind how it is sent, and what its success means
 */
record Attempt(String what, String sql, Kind kind) {

  enum Kind {
    /** May succeed where it stays within the own tenant. */
    STATEMENT,
    /** May succeed, and then blocks everybody: who looks at the rows would wait. */
    LOCK,
    /** Has to be refused. */
    FORBIDDEN,
    /** May succeed, and must then have changed nothing. */
    FRUITLESS,
    /** Calls a function, which may also refuse its arguments. */
    CALL,
    /** COPY to or from the client. */
    COPY_OUT,
    COPY_IN
  }

  static Attempt of(String what, String sql) {
    return new Attempt(what, sql, Kind.STATEMENT);
  }

  static Attempt fruitless(String what, String sql) {
    return new Attempt(what, sql, Kind.FRUITLESS);
  }

  static Attempt forbidden(String what, String sql) {
    return new Attempt(what, sql, Kind.FORBIDDEN);
  }

  @Override
  public String toString() {
    return "%s: %s".formatted(what, sql);
  }
}
