/** Tells workers, here and in other processes, that there is something for them. */
@NullMarked
package io.leasehold.engine.notify;

import org.jspecify.annotations.NullMarked;
