/** A request, its answer, and the routes that lead from one to the other. */
@NullMarked
package io.leasehold.rest.http;

import org.jspecify.annotations.NullMarked;
