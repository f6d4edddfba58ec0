/** Looks after jobs that failed or timed out for good. */
@NullMarked
package io.leasehold.engine.dead;

import org.jspecify.annotations.NullMarked;
