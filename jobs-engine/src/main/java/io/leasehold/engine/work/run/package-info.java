/** Runs claimed jobs: in how many slots, for how long, and until when their leases are good. */
@NullMarked
package io.leasehold.engine.work.run;

import org.jspecify.annotations.NullMarked;
