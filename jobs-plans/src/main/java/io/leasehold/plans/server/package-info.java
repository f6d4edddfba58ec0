/** PostgreSQL servers that are an attempt's own: their folders, and where their programs run. */
@NullMarked
package io.leasehold.plans.server;

import org.jspecify.annotations.NullMarked;
