/** The commands of the program's command line, and its exit codes. */
@NullMarked
package io.leasehold.rest.command;

import org.jspecify.annotations.NullMarked;
