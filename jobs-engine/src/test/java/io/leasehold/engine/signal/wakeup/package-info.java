/** Tests of how workers learn of jobs, with hints and without. */
@NullMarked
package io.leasehold.engine.signal.wakeup;

import org.jspecify.annotations.NullMarked;
