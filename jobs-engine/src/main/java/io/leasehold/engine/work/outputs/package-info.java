/**
 * Files that jobs leave: written under the fence, read by their tenant, removed when none counts.
 */
@NullMarked
package io.leasehold.engine.work.outputs;

import org.jspecify.annotations.NullMarked;
