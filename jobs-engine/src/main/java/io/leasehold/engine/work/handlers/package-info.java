/** The handlers of this process, and how a job becomes the input of one. */
@NullMarked
package io.leasehold.engine.work.handlers;

import org.jspecify.annotations.NullMarked;
