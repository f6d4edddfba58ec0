/** Output files of jobs: written under the fence, read by their tenant, and removed when unused. */
@NullMarked
package io.leasehold.engine.work.outputs;

import org.jspecify.annotations.NullMarked;
