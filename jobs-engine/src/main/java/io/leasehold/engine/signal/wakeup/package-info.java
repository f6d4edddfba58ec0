/**
 * Notifies workers, in this process and in others, that there is work; and sends all notifications.
 */
@NullMarked
package io.leasehold.engine.signal.wakeup;

import org.jspecify.annotations.NullMarked;
