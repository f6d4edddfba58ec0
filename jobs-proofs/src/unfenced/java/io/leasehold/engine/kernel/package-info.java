/** The engine without its fence, to show that the proof can fail. */
@NullMarked
package io.leasehold.engine.kernel;

import org.jspecify.annotations.NullMarked;
