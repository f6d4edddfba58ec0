/** Tells those who watch jobs, in this process and in others, that something happened to them. */
@NullMarked
package io.leasehold.engine.signal.watch;

import org.jspecify.annotations.NullMarked;
