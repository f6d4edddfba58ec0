@NullMarked
package io.leasehold.rest.log;

import org.jspecify.annotations.NullMarked;
