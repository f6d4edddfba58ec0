/**
 * The formats of the program's log, in which no text can start a new line or command a terminal.
 */
@NullMarked
package io.leasehold.rest.log;

import org.jspecify.annotations.NullMarked;
