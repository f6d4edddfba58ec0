/** Notifies workers, in this process and in others, that there is work for them. */
@NullMarked
package io.leasehold.engine.signal.wakeup;

import org.jspecify.annotations.NullMarked;
