/** The files and values that a job produces, and where they are stored. */
@NullMarked
package io.leasehold.jobs.outputs;

import org.jspecify.annotations.NullMarked;
