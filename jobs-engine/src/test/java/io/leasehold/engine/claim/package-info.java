/** Tests of which job is claimed when. */
@NullMarked
package io.leasehold.engine.claim;

import org.jspecify.annotations.NullMarked;
