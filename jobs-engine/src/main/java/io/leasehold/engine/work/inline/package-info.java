/** Runs due jobs when a caller asks for it, without threads of its own. */
@NullMarked
package io.leasehold.engine.work.inline;

import org.jspecify.annotations.NullMarked;
