/** Programs that are run to their end, and what is done with whole folders by them. */
@NullMarked
package io.leasehold.plans.process;

import org.jspecify.annotations.NullMarked;
