/** A tenant's schedules over HTTP. */
@NullMarked
package io.leasehold.rest.schedules;

import org.jspecify.annotations.NullMarked;
