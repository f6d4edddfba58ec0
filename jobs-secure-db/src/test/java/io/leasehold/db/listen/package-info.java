/** Tests of what is heard, and of all that keeps one from hearing. */
@NullMarked
package io.leasehold.db.listen;

import org.jspecify.annotations.NullMarked;
