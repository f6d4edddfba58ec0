/** The API for callers: submits and tracks the jobs of a tenant. */
@NullMarked
package io.leasehold.jobs;

import org.jspecify.annotations.NullMarked;
