/** Identifies callers: tokens, the keys of their issuers, and their claims. */
@NullMarked
package io.leasehold.rest.auth;

import org.jspecify.annotations.NullMarked;
