/** Moves jobs whose time has come to where claims find them. */
@NullMarked
package io.leasehold.engine.time.delayed;

import org.jspecify.annotations.NullMarked;
