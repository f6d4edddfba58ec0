/** Writes requests into the queue, in the transaction of a tenant. */
@NullMarked
package io.leasehold.engine.submit;

import org.jspecify.annotations.NullMarked;
