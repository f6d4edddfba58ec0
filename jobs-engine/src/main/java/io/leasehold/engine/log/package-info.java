/** What log lines say besides their text. */
@NullMarked
package io.leasehold.engine.log;

import org.jspecify.annotations.NullMarked;
