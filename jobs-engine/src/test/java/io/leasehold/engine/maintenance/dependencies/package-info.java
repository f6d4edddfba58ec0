/** Tests of what is done for those that wait, without anybody who does it. */
@NullMarked
package io.leasehold.engine.maintenance.dependencies;

import org.jspecify.annotations.NullMarked;
