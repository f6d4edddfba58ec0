/** Tests of the engine, on a real database. */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
