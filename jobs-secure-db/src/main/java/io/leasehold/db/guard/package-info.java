/** The connection that jOOQ is given, from which nothing leads to the real one. */
@NullMarked
package io.leasehold.db.guard;

import org.jspecify.annotations.NullMarked;
