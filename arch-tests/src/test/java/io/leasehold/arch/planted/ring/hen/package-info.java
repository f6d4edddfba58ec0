/** Comes from the egg. */
@NullMarked
package io.leasehold.arch.planted.ring.hen;

import org.jspecify.annotations.NullMarked;
