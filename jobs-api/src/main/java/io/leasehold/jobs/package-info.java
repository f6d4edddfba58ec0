/**
 * The everyday API: submits, runs and tracks the jobs of a tenant. What only some callers need is
 * in the packages below.
 */
@NullMarked
package io.leasehold.jobs;

import org.jspecify.annotations.NullMarked;
