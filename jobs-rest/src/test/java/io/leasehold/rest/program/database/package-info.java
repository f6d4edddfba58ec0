/** Tests of the program's parts, each by itself. */
@NullMarked
package io.leasehold.rest.program.database;

import org.jspecify.annotations.NullMarked;
