/** Lists, counts, retries and discards jobs that failed or timed out for good. */
@NullMarked
package io.leasehold.engine.service.deadletters;

import org.jspecify.annotations.NullMarked;
