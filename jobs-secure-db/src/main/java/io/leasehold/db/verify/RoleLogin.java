package io.leasehold.db.verify;

import io.leasehold.db.Secret;

/**
 * The login of the program for one of its roles.
 *
 * @param user the name of the login
 * @param password the password of the login
 * @param role the role that the login has to be, or to be a member of
 */
record RoleLogin(String user, Secret password, String role) {}
