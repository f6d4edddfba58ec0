/**
 * Runs outside of the JVM: processes and containers that outlive the worker which started them, and
 * are adopted by the next.
 */
@NullMarked
package io.leasehold.runs;

import org.jspecify.annotations.NullMarked;
