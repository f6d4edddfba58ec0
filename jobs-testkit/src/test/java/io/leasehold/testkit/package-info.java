@NullMarked
package io.leasehold.testkit;

import org.jspecify.annotations.NullMarked;
