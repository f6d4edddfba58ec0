/** What running attempts tell of their jobs, in the order in which they tell it. */
@NullMarked
package io.leasehold.engine.work.events;

import org.jspecify.annotations.NullMarked;
