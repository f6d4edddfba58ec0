/**
 * The interceptors around the submission and execution of jobs: the platform's own, and those that
 * modules register.
 */
@NullMarked
package io.leasehold.engine.work.intercept;

import org.jspecify.annotations.NullMarked;
