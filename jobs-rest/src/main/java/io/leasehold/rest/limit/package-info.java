/** The limits for one tenant, and for one of its principals. */
@NullMarked
package io.leasehold.rest.limit;

import org.jspecify.annotations.NullMarked;
