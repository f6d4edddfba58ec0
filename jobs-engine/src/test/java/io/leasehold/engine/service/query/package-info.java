/** Tests of what people see of jobs, on a real database. */
@NullMarked
package io.leasehold.engine.service.query;

import org.jspecify.annotations.NullMarked;
