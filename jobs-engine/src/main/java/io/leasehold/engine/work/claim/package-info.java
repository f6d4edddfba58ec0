/** Finds jobs that may run and takes leases of them, tenants in turn. */
@NullMarked
package io.leasehold.engine.work.claim;

import org.jspecify.annotations.NullMarked;
