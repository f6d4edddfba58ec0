/**
 * Jobs that live in this process: accepted within bounds, run as their tenants, and never stored.
 */
@NullMarked
package io.leasehold.engine.inmemory;

import org.jspecify.annotations.NullMarked;
