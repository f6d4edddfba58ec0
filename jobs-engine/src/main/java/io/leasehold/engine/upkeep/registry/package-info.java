/** The lists of workers and of handlers, for people to see: nothing decides by them. */
@NullMarked
package io.leasehold.engine.upkeep.registry;

import org.jspecify.annotations.NullMarked;
