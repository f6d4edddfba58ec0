/** The database that the program works on: which it is, its schema, and whether it is fit. */
@NullMarked
package io.leasehold.rest.program.database;

import org.jspecify.annotations.NullMarked;
