/** Moves jobs whose time has come into the table that workers claim from. */
@NullMarked
package io.leasehold.engine.time.delayed;

import org.jspecify.annotations.NullMarked;
