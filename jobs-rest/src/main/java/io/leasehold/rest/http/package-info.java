/** Requests, responses, and the routes that connect them. */
@NullMarked
package io.leasehold.rest.http;

import org.jspecify.annotations.NullMarked;
