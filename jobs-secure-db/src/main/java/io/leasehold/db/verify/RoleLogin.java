package io.leasehold.db.verify;

import io.leasehold.db.Secret;

/**
 * How the program connects for one of its roles.
 *
 * @param user the login
 * @param password the login's
 * @param role the role that it has to be, or to be a member of
 */
record RoleLogin(String user, Secret password, String role) {}
