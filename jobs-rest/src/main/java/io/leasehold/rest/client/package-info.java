/** A client of a running server: calls, streams that are taken up again, and tables for people. */
@NullMarked
package io.leasehold.rest.client;

import org.jspecify.annotations.NullMarked;
