/**
 * What all parts of the engine share: claimed jobs, leases and the fence that proves one, and the
 * text of an error.
 */
@NullMarked
package io.leasehold.engine.kernel;

import org.jspecify.annotations.NullMarked;
