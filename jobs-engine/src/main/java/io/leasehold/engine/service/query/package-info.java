/** Reads jobs for users, through the status view and functions for tenants. */
@NullMarked
package io.leasehold.engine.service.query;

import org.jspecify.annotations.NullMarked;
