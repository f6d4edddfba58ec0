/** Tests of single attempts. */
@NullMarked
package io.leasehold.engine.work.attempt;

import org.jspecify.annotations.NullMarked;
