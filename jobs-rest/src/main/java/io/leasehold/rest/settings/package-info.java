/** Settings from a file, the environment and the command line, with all errors reported at once. */
@NullMarked
package io.leasehold.rest.settings;

import org.jspecify.annotations.NullMarked;
