/** What has to be done again and again, by one process of all. */
@NullMarked
package io.leasehold.engine.upkeep;

import org.jspecify.annotations.NullMarked;
