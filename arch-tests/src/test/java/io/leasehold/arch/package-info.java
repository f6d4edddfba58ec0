@NullMarked
package io.leasehold.arch;

import org.jspecify.annotations.NullMarked;
