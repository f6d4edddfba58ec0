/** Cancels, retries and deletes a job. */
@NullMarked
package io.leasehold.engine.service.command;

import org.jspecify.annotations.NullMarked;
