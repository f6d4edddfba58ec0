/** A tenant's jobs as seen by its users: one class for each resource. */
@NullMarked
package io.leasehold.rest.jobs;

import org.jspecify.annotations.NullMarked;
