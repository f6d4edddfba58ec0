/** A client of a running server: calls, streams that resume, and tables for people. */
@NullMarked
package io.leasehold.rest.client;

import org.jspecify.annotations.NullMarked;
