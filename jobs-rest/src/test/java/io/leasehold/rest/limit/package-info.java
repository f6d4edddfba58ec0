/** Tests of limits. */
@NullMarked
package io.leasehold.rest.limit;

import org.jspecify.annotations.NullMarked;
