/** Which addresses of the network may be asked. */
@NullMarked
package io.leasehold.downloads.address;

import org.jspecify.annotations.NullMarked;
