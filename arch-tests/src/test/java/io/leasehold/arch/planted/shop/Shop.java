package io.leasehold.arch.planted.shop;

import io.leasehold.arch.planted.shop.stock.Shelf;

/** What other modules may use. */
public interface Shop {

  /** The clean twin: a module uses its own inside. */
  static Shop open() {
    return new Shelf();
  }
}
