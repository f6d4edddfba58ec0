@NullMarked
package io.leasehold.db.scope;

import org.jspecify.annotations.NullMarked;
