/** Tests of parts of what runs jobs. */
@NullMarked
package io.leasehold.engine.work.run;

import org.jspecify.annotations.NullMarked;
