/** Refuses what could reach past a statement's scope, and says why. */
@NullMarked
package io.leasehold.db.refuse;

import org.jspecify.annotations.NullMarked;
