/** Looks for what a rule forbids in one class, and describes each place where it is. */
@NullMarked
package io.leasehold.arch.find;

import org.jspecify.annotations.NullMarked;
