/** Tests of tokens. */
@NullMarked
package io.leasehold.rest.auth;

import org.jspecify.annotations.NullMarked;
