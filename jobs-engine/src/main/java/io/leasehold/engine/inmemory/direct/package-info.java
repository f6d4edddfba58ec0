/** Jobs that run at once in the process that submits them, or are not stored. */
@NullMarked
package io.leasehold.engine.inmemory.direct;

import org.jspecify.annotations.NullMarked;
