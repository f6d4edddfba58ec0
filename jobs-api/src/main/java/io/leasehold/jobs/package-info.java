/** What a caller sees: the jobs of its tenant, and how to submit and follow them. */
@NullMarked
package io.leasehold.jobs;

import org.jspecify.annotations.NullMarked;
