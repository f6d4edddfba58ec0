/** Tests of what people see of jobs, on a real database. */
@NullMarked
package io.leasehold.engine.read;

import org.jspecify.annotations.NullMarked;
