/** Tests of all routes together. */
@NullMarked
package io.leasehold.rest.routes;

import org.jspecify.annotations.NullMarked;
