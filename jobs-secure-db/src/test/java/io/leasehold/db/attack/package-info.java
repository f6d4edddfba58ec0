/** Attacks the scoped DSL with what jOOQ's own methods make of hostile arguments. */
@NullMarked
package io.leasehold.db.attack;

import org.jspecify.annotations.NullMarked;
