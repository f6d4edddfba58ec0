/** The problems of requests, reported as in RFC 9457, without internal details. */
@NullMarked
package io.leasehold.rest.problem;

import org.jspecify.annotations.NullMarked;
