/** Jobs that failed for good: how many there are, and how to retry or discard them. */
@NullMarked
package io.leasehold.jobs.deadletters;

import org.jspecify.annotations.NullMarked;
