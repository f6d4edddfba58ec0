/** Tests of what takes jobs away, with others at them. */
@NullMarked
package io.leasehold.engine.maintenance.retention;

import org.jspecify.annotations.NullMarked;
