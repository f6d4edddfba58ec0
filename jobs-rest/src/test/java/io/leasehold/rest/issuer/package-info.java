@NullMarked
package io.leasehold.rest.issuer;

import org.jspecify.annotations.NullMarked;
