/** What a machine knows of a run that is a local process: its folder, and who it is. */
@NullMarked
package io.leasehold.runs.process;

import org.jspecify.annotations.NullMarked;
