/** A tenant's schedules as seen by its users: one class for each resource. */
@NullMarked
package io.leasehold.rest.schedules;

import org.jspecify.annotations.NullMarked;
