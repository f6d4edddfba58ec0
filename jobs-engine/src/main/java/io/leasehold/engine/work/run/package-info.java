/** Runs claimed jobs: manages slots, time limits and leases. */
@NullMarked
package io.leasehold.engine.work.run;

import org.jspecify.annotations.NullMarked;
