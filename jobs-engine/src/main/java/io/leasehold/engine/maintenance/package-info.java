/** What has to be done again and again, by one process of all. */
@NullMarked
package io.leasehold.engine.maintenance;

import org.jspecify.annotations.NullMarked;
