/** Named for nothing. */
@NullMarked
package io.leasehold.arch.planted.util;

import org.jspecify.annotations.NullMarked;
