/** The program, and HTTP over the jobs of a tenant. */
@NullMarked
package io.leasehold.rest;

import org.jspecify.annotations.NullMarked;
