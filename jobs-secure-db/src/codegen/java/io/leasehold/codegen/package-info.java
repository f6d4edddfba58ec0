/** Writes the Java classes of the tables, from a migrated database. Part of the build only. */
@NullMarked
package io.leasehold.codegen;

import org.jspecify.annotations.NullMarked;
