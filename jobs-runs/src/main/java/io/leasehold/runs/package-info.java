/**
 * Runs outside of the JVM: processes and containers that outlive the worker that started them, and
 * are adopted by the next worker.
 */
@NullMarked
package io.leasehold.runs;

import org.jspecify.annotations.NullMarked;
