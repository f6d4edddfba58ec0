/** Tests of which addresses may be asked. */
@NullMarked
package io.leasehold.downloads.address;

import org.jspecify.annotations.NullMarked;
