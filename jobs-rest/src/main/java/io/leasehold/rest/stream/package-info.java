/** What lasts: histories that are followed, and jobs that are waited for. */
@NullMarked
package io.leasehold.rest.stream;

import org.jspecify.annotations.NullMarked;
