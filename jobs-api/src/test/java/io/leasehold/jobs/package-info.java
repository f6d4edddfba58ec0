@NullMarked
package io.leasehold.jobs;

import org.jspecify.annotations.NullMarked;
