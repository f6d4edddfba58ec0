/** Row level security alone, with the scoped DSL bypassed. */
@NullMarked
package io.leasehold.db.policy;

import org.jspecify.annotations.NullMarked;
