/** Tests of downloads, from a server of their own that cuts off, changes its mind, and lies. */
@NullMarked
package io.leasehold.downloads;

import org.jspecify.annotations.NullMarked;
