/** The schedules of a tenant, as its people see them: one class for each thing to be asked for. */
@NullMarked
package io.leasehold.rest.schedules;

import org.jspecify.annotations.NullMarked;
