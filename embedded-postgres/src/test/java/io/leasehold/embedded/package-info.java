@NullMarked
package io.leasehold.embedded;

import org.jspecify.annotations.NullMarked;
