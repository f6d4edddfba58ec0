package io.leasehold.rest.http;

/** Who may ask for something. */
public enum Access {
  /** Everybody. */
  OPEN,
  /** Whoever has a valid token. */
  CALLER,
  /** Whoever has the admin's role as well. */
  ADMIN
}
