@NullMarked
package io.leasehold.rest.program;

import org.jspecify.annotations.NullMarked;
