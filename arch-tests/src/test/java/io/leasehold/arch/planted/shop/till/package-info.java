/** Inside the module, and open to others as a side door. */
@NullMarked
package io.leasehold.arch.planted.shop.till;

import org.jspecify.annotations.NullMarked;
