/** Tests of what has to be done again and again, on a real database. */
@NullMarked
package io.leasehold.engine.maintenance;

import org.jspecify.annotations.NullMarked;
