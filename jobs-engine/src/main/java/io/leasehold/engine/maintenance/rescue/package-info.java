/** Takes jobs from workers that were lost. */
@NullMarked
package io.leasehold.engine.maintenance.rescue;

import org.jspecify.annotations.NullMarked;
