/** What is wired. */
@NullMarked
package io.leasehold.arch.planted.wired.parts;

import org.jspecify.annotations.NullMarked;
