/** Notifies the watchers of jobs, in this process and in others, of changes. */
@NullMarked
package io.leasehold.engine.signal.watch;

import org.jspecify.annotations.NullMarked;
