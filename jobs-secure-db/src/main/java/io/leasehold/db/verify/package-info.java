/** Looks at a database before it is used, and says what would break isolation or durability. */
@NullMarked
package io.leasehold.db.verify;

import org.jspecify.annotations.NullMarked;
