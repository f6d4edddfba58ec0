/** The connections of the two roles, and the operations of a transaction on its connection. */
@NullMarked
package io.leasehold.db.connection;

import org.jspecify.annotations.NullMarked;
