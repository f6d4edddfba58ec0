/**
 * The schema, and the program that migrates a database to it. Modules and the engine define no
 * other SQL objects.
 */
@NullMarked
package io.leasehold.migrations;

import org.jspecify.annotations.NullMarked;
