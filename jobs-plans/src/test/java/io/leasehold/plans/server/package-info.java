/** Tests of the package. */
@NullMarked
package io.leasehold.plans.server;

import org.jspecify.annotations.NullMarked;
