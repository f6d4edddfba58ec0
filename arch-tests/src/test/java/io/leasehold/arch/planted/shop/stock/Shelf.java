package io.leasehold.arch.planted.shop.stock;

import io.leasehold.arch.planted.shop.Shop;

/** What other modules may not use. */
public final class Shelf implements Shop {}
