/** Recurring maintenance of the queue. Most of it is done by one process for all. */
@NullMarked
package io.leasehold.engine.maintenance;

import org.jspecify.annotations.NullMarked;
