/** Access to a Docker engine through its command line. */
@NullMarked
package io.leasehold.runs.docker;

import org.jspecify.annotations.NullMarked;
