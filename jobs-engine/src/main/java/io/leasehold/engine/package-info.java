/** The front door of what claims, runs, finishes and rescues jobs, as a service embeds it. */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
