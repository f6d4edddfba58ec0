/** Reads what a request says: its query, its headers, quoted names. */
@NullMarked
package io.leasehold.rest.parse;

import org.jspecify.annotations.NullMarked;
