/** The list of all routes, and the pages that are not about jobs. */
@NullMarked
package io.leasehold.rest.routes;

import org.jspecify.annotations.NullMarked;
