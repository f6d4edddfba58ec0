/** Tests of jobs that are due later. */
@NullMarked
package io.leasehold.engine.time.delayed;

import org.jspecify.annotations.NullMarked;
