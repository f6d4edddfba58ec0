/** Asks for a file, or the rest of one, at an address that was looked at before. */
@NullMarked
package io.leasehold.downloads.http;

import org.jspecify.annotations.NullMarked;
