/** The server: how a request comes in, is looked at, and gets its answer, or a problem. */
@NullMarked
package io.leasehold.rest.server;

import org.jspecify.annotations.NullMarked;
