/** Finds and claims jobs that are ready to run, with tenants taking turns. */
@NullMarked
package io.leasehold.engine.work.claim;

import org.jspecify.annotations.NullMarked;
