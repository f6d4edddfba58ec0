/**
 * Modules' own records that mirror jobs: attached to them, written with them, and brought up to
 * date.
 */
@org.jspecify.annotations.NullMarked
package io.leasehold.engine.work.mirrors;
