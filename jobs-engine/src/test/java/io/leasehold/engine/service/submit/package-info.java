/** Opens parts of the package of the same name to tests of others. */
@NullMarked
package io.leasehold.engine.service.submit;

import org.jspecify.annotations.NullMarked;
