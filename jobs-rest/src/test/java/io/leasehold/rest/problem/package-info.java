/** Tests of all routes together. */
@NullMarked
package io.leasehold.rest.problem;

import org.jspecify.annotations.NullMarked;
