/** The network addresses that may be contacted. */
@NullMarked
package io.leasehold.downloads.address;

import org.jspecify.annotations.NullMarked;
