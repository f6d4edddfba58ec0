/** The output files of jobs over HTTP, whole and in parts. */
@NullMarked
package io.leasehold.rest.outputs;

import org.jspecify.annotations.NullMarked;
