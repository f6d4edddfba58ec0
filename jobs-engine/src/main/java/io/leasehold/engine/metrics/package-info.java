/** What an engine tells those who operate it: meters, and when what last gave a sign of life. */
@NullMarked
package io.leasehold.engine.metrics;

import org.jspecify.annotations.NullMarked;
