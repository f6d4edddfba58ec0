/** The front door of what claims, runs, finishes and rescues jobs. Nothing is behind it yet. */
@NullMarked
package io.leasehold.engine;

import org.jspecify.annotations.NullMarked;
