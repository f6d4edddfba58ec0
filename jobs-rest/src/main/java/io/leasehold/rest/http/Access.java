package io.leasehold.rest.http;

/** The access that a route requires. */
public enum Access {
  /** No token is needed. */
  OPEN,
  /** A valid token is needed. */
  CALLER,
  /** A valid token with the admin role is needed. */
  ADMIN
}
