/** What the program does when it is told to serve, to migrate, or to examine its database. */
@NullMarked
package io.leasehold.rest.program;

import org.jspecify.annotations.NullMarked;
