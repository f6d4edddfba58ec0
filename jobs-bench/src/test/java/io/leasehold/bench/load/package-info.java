/** Whether the benchmarks still work. */
@NullMarked
package io.leasehold.bench.load;

import org.jspecify.annotations.NullMarked;
