/** The parts of in-memory jobs: requests, keys, places, history and a clock. */
@NullMarked
package io.leasehold.engine.inmemory.state;

import org.jspecify.annotations.NullMarked;
