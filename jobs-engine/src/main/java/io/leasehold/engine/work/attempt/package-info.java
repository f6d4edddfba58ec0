/** One attempt at a job: what its handler is given, what it does meanwhile, and how it ends. */
@NullMarked
package io.leasehold.engine.work.attempt;

import org.jspecify.annotations.NullMarked;
