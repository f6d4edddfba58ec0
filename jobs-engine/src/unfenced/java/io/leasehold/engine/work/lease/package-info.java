/** The engine without its fence, to show that the proof can fail. */
@NullMarked
package io.leasehold.engine.work.lease;

import org.jspecify.annotations.NullMarked;
