/** Packages in a ring. */
@NullMarked
package io.leasehold.arch.planted.ring;

import org.jspecify.annotations.NullMarked;
