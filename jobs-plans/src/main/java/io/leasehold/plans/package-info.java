/**
 * Jobs made of ordered tasks that work on their own state: finished tasks are not run again, and
 * the state is restored from its last snapshot.
 */
@NullMarked
package io.leasehold.plans;

import org.jspecify.annotations.NullMarked;
