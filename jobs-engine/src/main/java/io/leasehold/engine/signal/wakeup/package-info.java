/** Tells workers, here and in other processes, that there is something for them. */
@NullMarked
package io.leasehold.engine.signal.wakeup;

import org.jspecify.annotations.NullMarked;
