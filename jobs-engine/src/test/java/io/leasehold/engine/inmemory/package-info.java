/** Tests of parts of what keeps jobs in memory. */
@NullMarked
package io.leasehold.engine.inmemory;

import org.jspecify.annotations.NullMarked;
