@NullMarked
package io.leasehold.db.transaction;

import org.jspecify.annotations.NullMarked;
