/** Tests of what takes jobs away, with others at them. */
@NullMarked
package io.leasehold.engine.upkeep.remove;

import org.jspecify.annotations.NullMarked;
