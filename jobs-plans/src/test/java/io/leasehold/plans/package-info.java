/** Plans, alone and on an engine, with real servers and killed workers. */
@NullMarked
package io.leasehold.plans;

import org.jspecify.annotations.NullMarked;
