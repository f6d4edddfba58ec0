/** The lists of workers and of handlers, for people to see: nothing decides by them. */
@NullMarked
package io.leasehold.engine.maintenance.fleet;

import org.jspecify.annotations.NullMarked;
