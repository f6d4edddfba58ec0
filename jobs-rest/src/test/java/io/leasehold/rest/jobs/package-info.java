/** Tests of what can be asked of jobs. */
@NullMarked
package io.leasehold.rest.jobs;

import org.jspecify.annotations.NullMarked;
