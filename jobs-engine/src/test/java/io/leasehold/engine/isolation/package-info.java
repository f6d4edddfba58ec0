/** Tests that a tenant's jobs are out of another's reach, with every id known. */
@NullMarked
package io.leasehold.engine.isolation;

import org.jspecify.annotations.NullMarked;
