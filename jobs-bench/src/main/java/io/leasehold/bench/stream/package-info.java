/** Clients that read live streams, many of them, and the process that they read from. */
@NullMarked
package io.leasehold.bench.stream;

import org.jspecify.annotations.NullMarked;
