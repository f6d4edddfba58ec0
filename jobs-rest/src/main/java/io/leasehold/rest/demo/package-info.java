/**
 * A demonstration: tenants, handlers and jobs that show what the platform does. It stands in for
 * the service that embeds the platform, and uses it as that would.
 */
@NullMarked
package io.leasehold.rest.demo;

import org.jspecify.annotations.NullMarked;
