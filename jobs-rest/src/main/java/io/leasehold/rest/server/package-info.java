/** The server: receives requests, checks them, and sends responses or problems. */
@NullMarked
package io.leasehold.rest.server;

import org.jspecify.annotations.NullMarked;
