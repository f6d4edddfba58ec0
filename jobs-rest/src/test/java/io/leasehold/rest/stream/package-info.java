/** Tests of streams. */
@NullMarked
package io.leasehold.rest.stream;

import org.jspecify.annotations.NullMarked;
