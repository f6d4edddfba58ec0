/** Tenants side by side under load: what one of them may know is never shown to another. */
@NullMarked
package io.leasehold.rest.isolation;

import org.jspecify.annotations.NullMarked;
