/** An embedded PostgreSQL server, from Maven Central: for {@code ./run}, tests and benchmarks. */
@NullMarked
package io.leasehold.embedded;

import org.jspecify.annotations.NullMarked;
