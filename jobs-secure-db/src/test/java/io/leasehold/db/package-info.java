@NullMarked
package io.leasehold.db;

import org.jspecify.annotations.NullMarked;
