/** Comes from the hen. */
@NullMarked
package io.leasehold.arch.planted.ring.egg;

import org.jspecify.annotations.NullMarked;
