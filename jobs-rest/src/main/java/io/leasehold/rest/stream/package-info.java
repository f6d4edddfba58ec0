/** Long-lived responses: followed histories, and clients that wait for a job. */
@NullMarked
package io.leasehold.rest.stream;

import org.jspecify.annotations.NullMarked;
