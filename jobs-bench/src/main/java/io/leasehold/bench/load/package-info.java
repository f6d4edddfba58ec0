/** Measurements of the platform, or a part of it, against a server. */
@NullMarked
package io.leasehold.bench.load;

import org.jspecify.annotations.NullMarked;
