/** The database of the program: its selection, its schema, and its verification. */
@NullMarked
package io.leasehold.rest.program.database;

import org.jspecify.annotations.NullMarked;
