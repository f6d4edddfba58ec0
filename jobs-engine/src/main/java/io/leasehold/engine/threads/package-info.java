/** Threads that work again and again, and what wakes them. */
@NullMarked
package io.leasehold.engine.threads;

import org.jspecify.annotations.NullMarked;
