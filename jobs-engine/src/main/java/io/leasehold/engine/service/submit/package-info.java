/** The job service that callers use, and its statements. */
@NullMarked
package io.leasehold.engine.service.submit;

import org.jspecify.annotations.NullMarked;
