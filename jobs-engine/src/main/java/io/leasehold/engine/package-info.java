/** The public API of the engine, which claims, runs, finishes and rescues jobs in a service. */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
