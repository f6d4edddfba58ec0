/** Hears notifications of the server, on a connection that is never trusted to be alive. */
@NullMarked
package io.leasehold.db.listen;

import org.jspecify.annotations.NullMarked;
