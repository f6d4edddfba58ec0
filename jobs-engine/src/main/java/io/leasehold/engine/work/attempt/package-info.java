/** One attempt at a job: what its handler receives, what it writes, and how it ends. */
@NullMarked
package io.leasehold.engine.work.attempt;

import org.jspecify.annotations.NullMarked;
