/** What a machine knows of a run that is a local process: its folder and its identity. */
@NullMarked
package io.leasehold.runs.process;

import org.jspecify.annotations.NullMarked;
