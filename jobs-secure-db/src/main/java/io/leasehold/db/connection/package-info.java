/** The connections of the two roles, and what one transaction does with one of them. */
@NullMarked
package io.leasehold.db.connection;

import org.jspecify.annotations.NullMarked;
