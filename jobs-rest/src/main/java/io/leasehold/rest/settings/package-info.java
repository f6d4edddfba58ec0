/** Settings by a file, the environment and the command line, all wrong ones told at once. */
@NullMarked
package io.leasehold.rest.settings;

import org.jspecify.annotations.NullMarked;
