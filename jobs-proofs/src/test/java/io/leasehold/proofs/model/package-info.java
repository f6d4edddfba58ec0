/** Checks the model of the protocol. */
@NullMarked
package io.leasehold.proofs.model;

import org.jspecify.annotations.NullMarked;
