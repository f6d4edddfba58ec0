package io.leasehold.arch.planted.street;

import io.leasehold.arch.planted.shop.Shop;
import io.leasehold.arch.planted.shop.till.Price;

/** The clean twin of the burglar. */
public interface Customer {

  void buy(Shop shop, Price price);
}
