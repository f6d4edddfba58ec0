@NullMarked
package io.leasehold.db.guard;

import org.jspecify.annotations.NullMarked;
