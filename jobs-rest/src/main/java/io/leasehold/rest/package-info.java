/** The program, and an HTTP API for a tenant's jobs. */
@NullMarked
package io.leasehold.rest;

import org.jspecify.annotations.NullMarked;
