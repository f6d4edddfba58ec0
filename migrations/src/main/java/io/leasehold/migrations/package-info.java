/**
 * The schema, and the program that brings a database to it. Modules and the engine have no other
 * SQL.
 */
@NullMarked
package io.leasehold.migrations;

import org.jspecify.annotations.NullMarked;
