/** Jobs that run where they are submitted, at once, or are not stored. */
@NullMarked
package io.leasehold.engine.direct;

import org.jspecify.annotations.NullMarked;
