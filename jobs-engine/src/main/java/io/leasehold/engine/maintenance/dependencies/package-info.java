/** Jobs that wait for other jobs: the work that remains when one of those has ended. */
@NullMarked
package io.leasehold.engine.maintenance.dependencies;

import org.jspecify.annotations.NullMarked;
