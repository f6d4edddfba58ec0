/** The least that SQL can cost, without any of the platform: what it is compared with. */
@NullMarked
package io.leasehold.bench.limit;

import org.jspecify.annotations.NullMarked;
