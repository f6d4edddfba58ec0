/** The platform's tables, views and functions, generated from a migrated database. */
@NullMarked
package io.leasehold.db.schema;

import org.jspecify.annotations.NullMarked;
