@NullMarked
package io.leasehold.db.connection;

import org.jspecify.annotations.NullMarked;
