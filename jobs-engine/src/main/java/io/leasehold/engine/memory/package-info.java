/** Jobs that live in this process: taken within bounds, run as their tenants, and never stored. */
@NullMarked
package io.leasehold.engine.memory;

import org.jspecify.annotations.NullMarked;
