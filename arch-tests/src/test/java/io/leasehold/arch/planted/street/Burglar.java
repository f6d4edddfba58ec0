package io.leasehold.arch.planted.street;

import io.leasehold.arch.planted.shop.stock.Shelf;
import java.util.List;

/** Names what stands inside another module, in a type argument only. */
public interface Burglar {

  void carry(List<Shelf> loot);
}
