/** The serving program: wires all modules together, starts and stops them. */
@NullMarked
package io.leasehold.rest.program;

import org.jspecify.annotations.NullMarked;
