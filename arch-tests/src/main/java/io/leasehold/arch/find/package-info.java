/** Finds what a rule forbids in one class, and describes each occurrence. */
@NullMarked
package io.leasehold.arch.find;

import org.jspecify.annotations.NullMarked;
