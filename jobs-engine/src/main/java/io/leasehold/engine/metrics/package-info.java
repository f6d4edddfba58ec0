/** What an engine reports to its operators: meters, and when each part last gave a sign of life. */
@NullMarked
package io.leasehold.engine.metrics;

import org.jspecify.annotations.NullMarked;
