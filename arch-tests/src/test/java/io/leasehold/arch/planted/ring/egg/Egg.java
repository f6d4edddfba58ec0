package io.leasehold.arch.planted.ring.egg;

import io.leasehold.arch.planted.ring.hen.Hen;

/** Uses a package that uses its own. */
public interface Egg {

  Hen hatch();
}
