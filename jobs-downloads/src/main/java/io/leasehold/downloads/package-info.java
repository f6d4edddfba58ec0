/** A handler that downloads large files over HTTP, and goes on where it was cut off. */
@NullMarked
package io.leasehold.downloads;

import org.jspecify.annotations.NullMarked;
