/** Another module, which uses the first. */
@NullMarked
package io.leasehold.arch.planted.street;

import org.jspecify.annotations.NullMarked;
