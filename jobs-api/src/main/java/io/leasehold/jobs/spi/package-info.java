/** What the service that embeds the engine adds to it: checks, interceptors, mirrors, handlers. */
@NullMarked
package io.leasehold.jobs.spi;

import org.jspecify.annotations.NullMarked;
