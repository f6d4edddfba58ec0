/** The handlers of this process, and how a job's row becomes a handler's input. */
@NullMarked
package io.leasehold.engine.work.handlers;

import org.jspecify.annotations.NullMarked;
