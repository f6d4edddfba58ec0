/**
 * Benchmarks, each of which compares two ways in one run, so that a shared machine affects both
 * alike.
 */
@NullMarked
package io.leasehold.bench;

import org.jspecify.annotations.NullMarked;
