/** Tests of parts of what runs jobs. */
@NullMarked
package io.leasehold.engine.run;

import org.jspecify.annotations.NullMarked;
