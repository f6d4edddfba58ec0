/** Who calls: tokens, the keys of their issuers, and what they say. */
@NullMarked
package io.leasehold.rest.auth;

import org.jspecify.annotations.NullMarked;
