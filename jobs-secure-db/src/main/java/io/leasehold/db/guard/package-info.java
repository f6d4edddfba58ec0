/** The connection given to jOOQ, which gives no access to the real one. */
@NullMarked
package io.leasehold.db.guard;

import org.jspecify.annotations.NullMarked;
