/** Tests of what is measured, and how it is named. */
@NullMarked
package io.leasehold.engine.metrics;

import org.jspecify.annotations.NullMarked;
