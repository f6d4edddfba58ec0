/** Adds the tenant to every statement, and refuses statements to which it cannot be added. */
@NullMarked
package io.leasehold.db.scope;

import org.jspecify.annotations.NullMarked;
