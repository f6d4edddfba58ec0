/** How much one tenant, and one of its principals, may ask for. */
@NullMarked
package io.leasehold.rest.limit;

import org.jspecify.annotations.NullMarked;
