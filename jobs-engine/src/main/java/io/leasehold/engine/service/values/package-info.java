/** Values as they are stored: JSON, metadata and bounded texts. */
@NullMarked
package io.leasehold.engine.service.values;

import org.jspecify.annotations.NullMarked;
