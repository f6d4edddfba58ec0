/** All that can be asked for: the one list of it, and what is not about jobs. */
@NullMarked
package io.leasehold.rest.routes;

import org.jspecify.annotations.NullMarked;
