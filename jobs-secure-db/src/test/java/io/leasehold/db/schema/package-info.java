@NullMarked
package io.leasehold.db.schema;

import org.jspecify.annotations.NullMarked;
