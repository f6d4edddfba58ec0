/** Tests of how jobs are taken from lost workers. */
@org.jspecify.annotations.NullMarked
package io.leasehold.engine.maintenance.rescue;
