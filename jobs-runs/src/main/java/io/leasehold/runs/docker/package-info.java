/** How a Docker engine is asked, by its command line. */
@NullMarked
package io.leasehold.runs.docker;

import org.jspecify.annotations.NullMarked;
