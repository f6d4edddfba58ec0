/** The events that running attempts report, in the order of the reports. */
@NullMarked
package io.leasehold.engine.work.events;

import org.jspecify.annotations.NullMarked;
