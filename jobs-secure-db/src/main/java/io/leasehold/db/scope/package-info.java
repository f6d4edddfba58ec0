/** Adds the tenant to every statement, and refuses what it cannot add it to. */
@NullMarked
package io.leasehold.db.scope;

import org.jspecify.annotations.NullMarked;
