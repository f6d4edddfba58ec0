/** Jobs that wait for others: what is left to do when one of these has ended. */
@NullMarked
package io.leasehold.engine.maintenance.dependencies;

import org.jspecify.annotations.NullMarked;
