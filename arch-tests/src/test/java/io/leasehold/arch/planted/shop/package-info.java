/** A module's front door. */
@NullMarked
package io.leasehold.arch.planted.shop;

import org.jspecify.annotations.NullMarked;
