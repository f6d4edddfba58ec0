/** The settings of the program, and what each module makes of them. */
@NullMarked
package io.leasehold.rest.program.settings;

import org.jspecify.annotations.NullMarked;
