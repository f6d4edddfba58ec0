/**
 * PostgreSQL servers that belong to one attempt: their folders, and the hosts of their programs.
 */
@NullMarked
package io.leasehold.plans.server;

import org.jspecify.annotations.NullMarked;
