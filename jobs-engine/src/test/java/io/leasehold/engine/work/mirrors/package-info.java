/** Tests of records that mirror jobs. */
@org.jspecify.annotations.NullMarked
package io.leasehold.engine.work.mirrors;
