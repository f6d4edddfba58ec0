package io.leasehold.arch.planted.ring.hen;

import io.leasehold.arch.planted.ring.egg.Egg;

/** Uses a package that uses its own. */
public interface Hen {

  Egg lay();
}
