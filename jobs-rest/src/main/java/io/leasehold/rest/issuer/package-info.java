/**
 * The development issuer, which issues tokens to every process that has its key. It exists only
 * where it is enabled.
 */
@NullMarked
package io.leasehold.rest.issuer;

import org.jspecify.annotations.NullMarked;
