/** What stands around the submission and the execution of jobs: the platform's own, and others. */
@NullMarked
package io.leasehold.engine.work.intercept;

import org.jspecify.annotations.NullMarked;
