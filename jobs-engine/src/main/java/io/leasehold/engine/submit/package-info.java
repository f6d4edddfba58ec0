/** What callers ask for: the service that they hold, and its statements. */
@NullMarked
package io.leasehold.engine.submit;

import org.jspecify.annotations.NullMarked;
