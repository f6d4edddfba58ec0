@NullMarked
package io.leasehold.db.verify;

import org.jspecify.annotations.NullMarked;
