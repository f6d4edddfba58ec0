/**
 * Jobs made of ordered tasks that work on a state of their own: what is done is not done again, and
 * the state comes back from its last snapshot.
 */
@NullMarked
package io.leasehold.plans;

import org.jspecify.annotations.NullMarked;
