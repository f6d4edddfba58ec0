/** Kills, freezes and cuts off real workers and a real server, and looks at what is left. */
@NullMarked
package io.leasehold.proofs.stress;

import org.jspecify.annotations.NullMarked;
