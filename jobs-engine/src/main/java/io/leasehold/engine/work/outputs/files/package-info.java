/** The names and the bytes of output files. */
@NullMarked
package io.leasehold.engine.work.outputs.files;

import org.jspecify.annotations.NullMarked;
