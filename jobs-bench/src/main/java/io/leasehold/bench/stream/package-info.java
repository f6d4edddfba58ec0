/** A large number of clients that read live streams, and the process that serves them. */
@NullMarked
package io.leasehold.bench.stream;

import org.jspecify.annotations.NullMarked;
