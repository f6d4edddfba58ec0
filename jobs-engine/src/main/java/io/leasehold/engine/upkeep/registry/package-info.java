/** The list of workers, for people to see: nothing decides by it. */
@NullMarked
package io.leasehold.engine.upkeep.registry;

import org.jspecify.annotations.NullMarked;
