/** Says what is taken from queues, and whose. */
@NullMarked
package io.leasehold.engine.queue;

import org.jspecify.annotations.NullMarked;
