/** Tests of the list of workers. */
@NullMarked
package io.leasehold.engine.maintenance.fleet;

import org.jspecify.annotations.NullMarked;
