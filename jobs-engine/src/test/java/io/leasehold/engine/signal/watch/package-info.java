/** Tests of how those who watch jobs hear of them. */
@NullMarked
package io.leasehold.engine.signal.watch;

import org.jspecify.annotations.NullMarked;
