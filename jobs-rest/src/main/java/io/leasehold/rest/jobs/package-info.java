/** The jobs of a tenant, as its people see them: one class for each thing that can be asked for. */
@NullMarked
package io.leasehold.rest.jobs;

import org.jspecify.annotations.NullMarked;
