/**
 * Records of other modules that mirror jobs: attached to the jobs, written with them, and kept up
 * to date.
 */
@org.jspecify.annotations.NullMarked
package io.leasehold.engine.work.mirrors;
