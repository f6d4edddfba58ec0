/** Threads that work periodically, and the signals that wake them. */
@NullMarked
package io.leasehold.engine.threads;

import org.jspecify.annotations.NullMarked;
