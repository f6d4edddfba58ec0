/** Checks a database before it is used, and reports what would break isolation or durability. */
@NullMarked
package io.leasehold.db.verify;

import org.jspecify.annotations.NullMarked;
