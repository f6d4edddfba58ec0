/** Jobs that are submitted together and followed as one. */
@NullMarked
package io.leasehold.jobs.batches;

import org.jspecify.annotations.NullMarked;
