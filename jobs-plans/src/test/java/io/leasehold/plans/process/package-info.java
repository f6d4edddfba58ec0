/** Tests of the package. */
@NullMarked
package io.leasehold.plans.process;

import org.jspecify.annotations.NullMarked;
