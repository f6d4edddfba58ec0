/** The development issuer: makes tokens for whoever has its key. Exists only where asked for. */
@NullMarked
package io.leasehold.rest.issuer;

import org.jspecify.annotations.NullMarked;
