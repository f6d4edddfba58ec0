/** Tests of jobs that are due later. */
@NullMarked
package io.leasehold.engine.schedule;

import org.jspecify.annotations.NullMarked;
