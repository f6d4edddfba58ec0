/** What can be wrong with a request, and how that is told: RFC 9457, and nothing from inside. */
@NullMarked
package io.leasehold.rest.problem;

import org.jspecify.annotations.NullMarked;
