@NullMarked
package io.leasehold.db.refuse;

import org.jspecify.annotations.NullMarked;
