/** Fetches a file, or the rest of it, from an address that was checked before. */
@NullMarked
package io.leasehold.downloads.http;

import org.jspecify.annotations.NullMarked;
