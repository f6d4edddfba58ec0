/** Violations that the rules must catch, and clean twins that they must let pass. */
@NullMarked
package io.leasehold.arch.planted;

import org.jspecify.annotations.NullMarked;
