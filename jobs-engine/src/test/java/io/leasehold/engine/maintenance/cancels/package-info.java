/** Tests of cancelled and deleted jobs. */
@NullMarked
package io.leasehold.engine.maintenance.cancels;

import org.jspecify.annotations.NullMarked;
