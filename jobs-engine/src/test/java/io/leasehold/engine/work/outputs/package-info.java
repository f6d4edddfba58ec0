/** Tests of the files that jobs leave, and what a test of another package does with them. */
@NullMarked
package io.leasehold.engine.work.outputs;

import org.jspecify.annotations.NullMarked;
