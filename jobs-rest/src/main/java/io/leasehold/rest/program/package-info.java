/** What the program does when it serves: it wires all modules together, starts and stops them. */
@NullMarked
package io.leasehold.rest.program;

import org.jspecify.annotations.NullMarked;
