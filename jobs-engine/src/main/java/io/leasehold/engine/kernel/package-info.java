/**
 * The types that all parts of the engine share: claimed jobs, leases, the fence that proves a
 * lease, and error texts.
 */
@NullMarked
package io.leasehold.engine.kernel;

import org.jspecify.annotations.NullMarked;
