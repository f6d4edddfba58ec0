/**
 * A demonstration: tenants, handlers and jobs that show what the platform does. It stands in for a
 * service that embeds the platform, and uses the platform like such a service.
 */
@NullMarked
package io.leasehold.rest.demo;

import org.jspecify.annotations.NullMarked;
