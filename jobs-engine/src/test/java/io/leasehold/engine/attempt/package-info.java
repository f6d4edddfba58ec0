/** Tests of single attempts. */
@NullMarked
package io.leasehold.engine.attempt;

import org.jspecify.annotations.NullMarked;
