/** Receives notifications of the server, over a connection that is never assumed to be alive. */
@NullMarked
package io.leasehold.db.listen;

import org.jspecify.annotations.NullMarked;
