/** Refuses parts of statements that could reach past the scope, and explains why. */
@NullMarked
package io.leasehold.db.refuse;

import org.jspecify.annotations.NullMarked;
