/** The keys and contents of log lines. */
@NullMarked
package io.leasehold.engine.log;

import org.jspecify.annotations.NullMarked;
