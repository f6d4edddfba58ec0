/** Jobs that run where they are submitted, at once, or are not stored. */
@NullMarked
package io.leasehold.engine.inmemory.direct;

import org.jspecify.annotations.NullMarked;
