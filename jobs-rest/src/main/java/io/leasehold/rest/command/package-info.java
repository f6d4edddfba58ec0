/** The commands of the program's command line, and how it ends. */
@NullMarked
package io.leasehold.rest.command;

import org.jspecify.annotations.NullMarked;
