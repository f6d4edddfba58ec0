/** The baselines: the lowest cost of SQL, without any of the platform. */
@NullMarked
package io.leasehold.bench.limit;

import org.jspecify.annotations.NullMarked;
