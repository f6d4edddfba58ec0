/** Jobs that are submitted together, and monitored and cancelled as one. */
@NullMarked
package io.leasehold.engine.service.batches;

import org.jspecify.annotations.NullMarked;
