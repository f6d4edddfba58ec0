/** What operators do with queues, and see of workers. */
@NullMarked
package io.leasehold.engine.queue;

import org.jspecify.annotations.NullMarked;
