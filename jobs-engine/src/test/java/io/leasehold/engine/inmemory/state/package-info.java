/** Tests of what in-memory jobs are made of. */
@NullMarked
package io.leasehold.engine.inmemory.state;

import org.jspecify.annotations.NullMarked;
