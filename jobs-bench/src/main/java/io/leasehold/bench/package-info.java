/** Measurements, each of two ways in one run, so that a shared machine disturbs both alike. */
@NullMarked
package io.leasehold.bench;

import org.jspecify.annotations.NullMarked;
