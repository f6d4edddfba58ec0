/** The registries of workers and of handlers. They are for people; no decision depends on them. */
@NullMarked
package io.leasehold.engine.maintenance.fleet;

import org.jspecify.annotations.NullMarked;
