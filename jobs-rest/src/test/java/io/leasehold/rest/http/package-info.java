/** Tests of what goes round a request. */
@NullMarked
package io.leasehold.rest.http;

import org.jspecify.annotations.NullMarked;
