/** Reads jobs as people see them: through the status view, and nothing else. */
@NullMarked
package io.leasehold.engine.read;

import org.jspecify.annotations.NullMarked;
