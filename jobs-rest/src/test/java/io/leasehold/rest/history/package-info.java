/** Tests of what happened to a job over HTTP: events, tasks, dependencies. */
@NullMarked
package io.leasehold.rest.history;

import org.jspecify.annotations.NullMarked;
