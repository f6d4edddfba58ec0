/** Writes events to a stream, in portions of bounded size. */
@NullMarked
package io.leasehold.rest.stream.write;

import org.jspecify.annotations.NullMarked;
