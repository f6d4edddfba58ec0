/** What callers ask for: the service that they hold, and its statements. */
@NullMarked
package io.leasehold.engine.service.submit;

import org.jspecify.annotations.NullMarked;
