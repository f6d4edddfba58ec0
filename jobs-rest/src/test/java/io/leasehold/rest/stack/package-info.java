/** What tests of HTTP stand on: a server with an engine behind it, an issuer, and clients. */
@NullMarked
package io.leasehold.rest.stack;

import org.jspecify.annotations.NullMarked;
