/** Checks the model of the protocol. */
@NullMarked
package io.leasehold.engine.model;

import org.jspecify.annotations.NullMarked;
