/** The schema, and the program that brings a database to it. The only SQL in the repository. */
@NullMarked
package io.leasehold.migrations;

import org.jspecify.annotations.NullMarked;
