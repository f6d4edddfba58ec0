/** Tests of the list of workers. */
@NullMarked
package io.leasehold.engine.upkeep.registry;

import org.jspecify.annotations.NullMarked;
