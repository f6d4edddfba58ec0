/** Tests of which job is claimed when. */
@NullMarked
package io.leasehold.engine.work.claim;

import org.jspecify.annotations.NullMarked;
