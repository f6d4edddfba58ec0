/**
 * The signals between the engine's parts: there is work, jobs have changed, a dependency has ended.
 */
@NullMarked
package io.leasehold.engine.signal;

import org.jspecify.annotations.NullMarked;
