/** Programs that run to completion, and the copying and deleting of whole folders with them. */
@NullMarked
package io.leasehold.plans.process;

import org.jspecify.annotations.NullMarked;
