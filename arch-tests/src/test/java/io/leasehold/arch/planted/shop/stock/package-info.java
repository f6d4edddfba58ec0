/** Inside the module. */
@NullMarked
package io.leasehold.arch.planted.shop.stock;

import org.jspecify.annotations.NullMarked;
